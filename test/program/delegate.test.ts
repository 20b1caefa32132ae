import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { giveBack, ordersFor, send } from "./agents.ts";
import { end } from "./claims.ts";
import { makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

const PASSED = { input: undefined, orders: "", denied: undefined };
const eventsIn = (place: Place): string[] => place.entries().map(({ event }) => event);

describe("an agent that the coordinator starts", () => {
  const begin = (tasks?: string): Place =>
    startPlace(
      layout,
      tasks === undefined ? {} : { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks },
    );

  it("runs in the foreground, with the task's text as its orders", () => {
    const place = begin();
    const { input, orders } = send(place, "1.1");
    expect(input).toEqual({
      description: "A task",
      subagent_type: `${layout.plugin}:spec-executor`,
      prompt: orders,
      run_in_background: false,
    });
    expect(orders).toBe(
      `# Task 1.1 of ${layout.unit} demo\n\nFolder: ${place.folder}.\n\n- [ ] 1.1 First\n  - **Do**: the first thing\nIf nothing has to change for it, say why in the report: \`NO_CHANGE: why\` on a line of its own.`,
    );
    expect(place.entries().at(-1)).toMatchObject({
      event: "delegated",
      task: "1.1",
      loop: { out: { "call-1.1": "1.1" }, iteration: 1 },
    });
  });

  it("is told in the foreground even if the coordinator asked for the background", () => {
    const place = begin();
    const tool_input = {
      prompt: "1.1",
      subagent_type: "spec-executor",
      run_in_background: true,
      model: "opus",
    };
    expect(send(place, "1.1", { tool_input }).input).toMatchObject({
      run_in_background: false,
      model: "opus",
      subagent_type: `${layout.plugin}:spec-executor`,
    });
  });

  it("gets the coordinator's own words too, where there are any", () => {
    const words = "1.1 The user wants tabs instead of spaces in every file.";
    expect(ordersFor(begin(), words)).toMatch(
      /\n\nFrom the coordinator of the \w+:\nThe user wants tabs instead of spaces in every file\.$/,
    );
    expect(ordersFor(begin(), "Task 1.1: First")).not.toContain("coordinator");
  });

  it("needs no number if there is only one task to do", () => {
    expect(ordersFor(begin(), "Do the next task.")).toMatch(/^# Task 1\.1 of /);
  });

  it.each(["1.2", "1.3"])(
    "is denied if %s is not next, and the coordinator is told what is",
    (id) => {
      const place = begin();
      const { denied } = send(place, id);
      expect(denied).toContain('with the prompt "1.1"');
      expect(denied).toContain(`Task 1.1 → ${layout.plugin}:spec-executor: First`);
      expect(eventsIn(place)).toEqual(["start"]);
    },
  );

  it("is denied while another one has the task, until a stop shows that it has ended", () => {
    const place = begin();
    send(place, "1.1", { call: "a" });
    for (const call of ["b", "c"])
      expect(send(place, "1.1", { call }).denied).toMatch(/already working on 1\.1/);
    expect(place.entries().at(-1)?.loop.out).toEqual({ a: "1.1" });
    place.stop();
    expect(send(place, "1.1", { call: "d" }).orders).toContain("1.1 First");
  });

  it("that comes back without a word again and again is denied in the end", () => {
    const place = begin();
    let starts = 0;
    for (; starts < 20; starts++) {
      const call = `call-${starts}`;
      if (send(place, "1.1", { call }).denied !== undefined) break;
      giveBack(place, "1.1", { call });
    }
    expect(starts).toBe(5);
    expect(place.entries().at(-1)?.loop.iteration).toBe(1);
  });

  it("is denied when its attempts are used up, before any stop", () => {
    const place = begin();
    for (let i = 0; i < 5; i++) place.run(["fail", "1.1", "--reason", `reason ${i}`]);
    expect(send(place, "1.1").denied).toMatch(/No task is left/);
  });

  it("is denied if tasks.md cannot be read", () => {
    const place = begin();
    rmSync(join(place.folder, "tasks.md"));
    expect(send(place, "1.1").denied).toMatch(/tasks\.md cannot be read/);
  });

  it("works where the coordinator works, with the permissions that it has", () => {
    const place = begin();
    const tool_input = {
      description: "x",
      prompt: "1.1",
      subagent_type: `${layout.plugin}:spec-executor`,
      mode: "bypassPermissions",
      isolation: "worktree",
      cwd: "/",
    };
    expect(Object.keys(send(place, "1.1", { tool_input }).input ?? {}).sort()).toEqual([
      "description",
      "prompt",
      "run_in_background",
      "subagent_type",
    ]);
  });

  it.each([
    ["1.1", "qa-engineer", "spec-executor"],
    ["1.2", "spec-executor", "qa-engineer"],
  ])("is of the kind that %s needs, whatever kind the coordinator named", (id, named, right) => {
    const place = begin("- [ ] 1.1 [P] One\n- [ ] 1.2 [VERIFY] Read the code\n");
    if (id === "1.2") end(place);
    place.stop();
    expect(send(place, id, { agent: named }).input).toMatchObject({
      subagent_type: `${layout.plugin}:${right}`,
    });
  });

  it("keeps its notes apart from those of the others in its group", () => {
    const place = begin("- [ ] 1.1 [P] One\n- [ ] 1.2 [P] Two\n- [ ] 1.3 Three\n");
    for (const id of ["1.2", "1.1"]) {
      const orders = ordersFor(place, id);
      expect(orders).toMatch(new RegExp(`^# Task ${id} of `));
      expect(orders).toContain(`/.progress-task-${id}.md`);
    }
    expect(place.entries().at(-1)?.loop.out).toEqual({ "call-1.2": "1.2", "call-1.1": "1.1" });
    // The text of neither may be mistaken for the other's.
    expect(send(place, "do something").denied).toContain("in one message");
  });

  it.each([
    ["is paused", ["pause"], /paused at Task 1\/3/],
    ["waits for approval", ["await-approval", "--reason", "Drop it?"], /approval .*Drop it\?/],
  ])("is denied while the run %s", (_, command, says) => {
    const place = begin();
    expect(place.run(command).code).toBe(0);
    const { denied } = send(place, "1.1");
    expect(denied).toMatch(/^No task is handed out now: /);
    expect(denied).toMatch(says);
    expect(eventsIn(place)).not.toContain("delegated");
  });

  it.each([
    ["all turns are used", "limit", ["--max-global-iterations", "1"], 1],
    ["nothing has moved", "stalled", [], 4],
  ])("is denied once the run has stopped because %s", (_, told, options, stops) => {
    const place = makePlace(layout);
    place.slash(["implement", ...options]);
    for (let i = 0; i < stops; i++) place.stop();
    expect(place.entries().at(-1)).toMatchObject({ event: told });
    expect(send(place, "1.1").denied).toMatch(/^No task is handed out now: the run has stopped/);
    place.slash(["resume"]);
    expect(send(place, "1.1").denied).toBeUndefined();
  });

  it("is denied after the last attempt", () => {
    const place = begin();
    for (let i = 0; i < 5; i++) place.run(["fail", "1.1", "--reason", `reason ${i}`]);
    place.stop();
    expect(place.entries().at(-1)).toMatchObject({ event: "exhausted" });
    expect(send(place, "1.1").denied).toMatch(/the run has stopped/);
  });

  it.each([
    ["of another session", { session_id: "session-2" }],
    ["that another agent starts", { agent_id: "agent-7" }],
    ["of another kind", { agent: "Explore" }],
    ["of another plugin", { tool_input: { prompt: "1.1", subagent_type: "other:spec-executor" } }],
    ["without a kind", { tool_input: { prompt: "1.1" } }],
    ["without a name for the call", { tool_use_id: undefined }],
    ["in a folder without a project", { cwd: "/" }],
  ])("%s is left alone", (_, fields) => {
    const place = begin();
    expect(send(place, "1.1", fields)).toEqual(PASSED);
    expect(eventsIn(place)).toEqual(["start"]);
  });

  it("is left alone where no run is on, or where it was started on another machine", () => {
    expect(send(makePlace(layout), "1.1")).toEqual(PASSED);
    const folder = `${layout.specsDirs[0]}/demo`;
    const state = { phase: "execution", sessionId: "session-1" };
    const place = makePlace(layout, { [`${folder}/${layout.stateFile}`]: JSON.stringify(state) });
    expect(send(place, "1.1")).toEqual(PASSED);
    expect(place.entries()).toEqual([]);
  });
});

it("an agent that was denied and returns all the same hands out nothing", () => {
  const place = startPlace(specum);
  expect(send(place, "1.2").denied).toBeDefined();
  expect(giveBack(place, "1.2")).toEqual({ context: undefined, say: undefined });
  expect(eventsIn(place)).toEqual(["start"]);
});

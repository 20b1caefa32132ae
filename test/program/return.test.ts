import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { giveBack, send, work } from "./agents.ts";
import { end, placeWith, tickByHand } from "./claims.ts";
import { makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

const NOTHING = { context: undefined, say: undefined };
const iterationOf = (place: Place): unknown => place.state()?.["globalIteration"];
const lastOf = (place: Place) => place.entries().at(-1);

describe("the return of an agent", () => {
  const tasksAt = `${layout.specsDirs[0]}/demo/tasks.md`;

  it("hands out the next task, and is counted like a stop", () => {
    const place = startPlace(layout);
    const { context, say } = work(place, "1.1");
    expect(context).toMatch(/^Continue \w+: demo \(Task 2\/3, Iter 2\)/);
    expect(context).toContain(`Task 1.2 → ${layout.plugin}:spec-executor: Second`);
    expect(context).not.toContain("done 1.1");
    expect(say).toMatch(/^✓ 1\.1 [^\n]* · 1 of 3 · next 1\.2 Second$/);
    expect(iterationOf(place)).toBe(2);
    expect(lastOf(place)).toMatchObject({ event: "continue", loop: { out: {}, stalled: 0 } });
  });

  it("finishes the run after the last task, with the receipt", () => {
    const place = startPlace(layout, {
      [tasksAt]: "- [ ] 1.1 Only\n  - **Verify**: `test -f made`\n",
    });
    writeFileSync(join(place.root, "made"), "");
    const { context, say } = work(place, "1.1");
    expect(context).toMatch(/^All tasks \(1\) of \w+ demo are done\./);
    expect(context).toContain("ALL_TASKS_COMPLETE");
    expect(say).toContain("1 task done");
    expect(place.state()).toBeUndefined();
    expect(readFileSync(join(place.folder, ".progress.md"), "utf8")).toContain("test -f made");
    // The turn ends, and nobody is kept.
    expect(place.stop({ last_assistant_message: "ALL_TASKS_COMPLETE" })).toEqual({});
    expect(place.entries().filter(({ event }) => event === "finished")).toHaveLength(1);
  });

  it("hands out nothing until the last agent of a group is back", () => {
    const place = startPlace(layout, {
      [tasksAt]: "- [ ] 1.1 [P] One\n- [ ] 1.2 [P] Two\n- [ ] 1.3 Three\n",
    });
    for (const id of ["1.1", "1.2"]) expect(send(place, id).denied).toBeUndefined();
    for (const id of ["1.1", "1.2"])
      end(place, { agent_id: id, last_assistant_message: `${id} it is.\nTASK_COMPLETE` });
    expect(giveBack(place, "1.2")).toEqual(NOTHING);
    expect(iterationOf(place)).toBe(1);
    const { context, say } = giveBack(place, "1.1");
    expect(context).toContain("Task 1.3 → ");
    expect(say).toMatch(/✓ 1\.1 .* · ✓ 1\.2 .* · 2 of 3/);
    expect(iterationOf(place)).toBe(2);
  });

  it("that went into the background hands out nothing; the stop after its end does", () => {
    const place = startPlace(layout);
    send(place, "1.1");
    const launched = { tool_response: { status: "async_launched", agentId: "a" } };
    expect(giveBack(place, "1.1", launched)).toEqual(NOTHING);
    expect(lastOf(place)?.loop.out).toEqual({ "call-1.1": "1.1" });
    const running = [{ id: "a", type: "subagent", status: "running" }];
    expect(place.stop({ background_tasks: running })).toEqual({});
    end(place);
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(iterationOf(place)).toBe(2);
    expect(lastOf(place)?.loop.out).toEqual({});
  });

  it("whose report was not heard names the way to tell it", () => {
    const place = startPlace(layout);
    send(place, "1.1");
    const { context } = giveBack(place, "1.1");
    expect(context).toContain(`\`${layout.plugin} done 1.1 --report -`);
    expect(context).toContain(`\`${layout.plugin} fail 1.1 --reason`);
    expect(iterationOf(place)).toBe(1);
    expect(lastOf(place)).toMatchObject({ event: "returned", task: "1.1", loop: { out: {} } });
  });

  it.each([
    ["a failed attempt", "The network is down.", "failed", "(attempt 2 of 5; last: The network"],
    ["a doubt about its Verify", "VERIFY_WRONG: `test -d .`", "heard", "amend 1.1 --verify"],
  ])("after %s hands the task out again, with the reason", (_, message, event, says) => {
    const place = startPlace(layout);
    const { context } = work(place, "1.1", message);
    expect(context).toContain("Task 1.1 → ");
    expect(context).toContain(says);
    expect(place.entries().map((entry) => entry.event)).toContain(event);
  });

  it("after three refused claims has cost an attempt, and says why", () => {
    const place = placeWith(layout, "`test -f made`");
    send(place, "1.1");
    const ends = [1, 2, 3].map(() => end(place).out.includes('"block"'));
    expect(ends).toEqual([true, true, false]);
    const { context, say } = giveBack(place, "1.1");
    expect(context).toContain("(attempt 2 of 5; last: 1.1 is not done: its Verify `test -f made`");
    expect(say).toMatch(/^✗ 1\.1 failed: its Verify .* · attempt 1 of 5 · 0 of 2 · next 1\.1/);
    const failed = place.entries().filter(({ event }) => event === "failed");
    expect(failed).toMatchObject([{ task: "1.1", loop: { attempts: { "1.1": 2 } } }]);
  });

  it.each([
    ["is paused", ["pause"], "paused", true],
    ["waits for approval", ["await-approval", "--reason", "Drop it?"], "Drop it?", false],
  ])("hands out nothing while the run %s", (_, command, says, isSaid) => {
    const place = startPlace(layout);
    send(place, "1.1");
    end(place);
    place.run(command);
    const { context, say } = giveBack(place, "1.1");
    expect(context).toMatch(/^No task is handed out now: /);
    expect(context).toContain(says);
    // Once: here, or at the stop that follows.
    expect(say?.includes(says) ?? false).toBe(isSaid);
    expect(place.stop().systemMessage?.includes(says) ?? false).toBe(!isSaid);
    expect(iterationOf(place)).toBe(1);
  });

  it("stops at the last turn, as a stop does, and says so once", () => {
    const place = makePlace(layout);
    place.slash(["implement", "--max-global-iterations", "2"]);
    expect(work(place, "1.1").context).toContain("Task 1.2 → ");
    const { context, say } = work(place, "1.2");
    expect(context).toMatch(/2\D/);
    expect(context).not.toContain("Task 1.3 →");
    expect(say).toContain("max iterations (2) reached");
    expect(iterationOf(place)).toBe(2);
    expect(place.stop()).toEqual({});
  });

  it("stops after the last attempt at a task, as a stop does", () => {
    const place = startPlace(layout);
    for (let i = 1; i < 5; i++)
      expect(work(place, "1.1", `Broken ${i}.`).context).toContain(`(attempt ${i + 1} of 5`);
    const { context, say } = work(place, "1.1", "Broken again.");
    expect(context).toMatch(/^No task is handed out now: .*failed in all 5 attempts/);
    expect(say).toContain("failed in all 5 attempts");
    expect(lastOf(place)).toMatchObject({ event: "exhausted" });
    expect(send(place, "1.1").denied).toMatch(/the run has stopped/);
  });

  it("and a stop after it, with nothing done, is a step towards a stall", () => {
    const place = startPlace(layout);
    work(place, "1.1");
    expect(lastOf(place)?.loop).toMatchObject({ iteration: 2, stalled: 0 });
    place.stop();
    expect(lastOf(place)?.loop).toMatchObject({ iteration: 3, stalled: 1 });
    expect(work(place, "1.2").context).toContain("Task 1.3 → ");
    expect(lastOf(place)?.loop).toMatchObject({ iteration: 4, stalled: 0 });
  });

  it("again and again without a result ends as a stall", () => {
    const place = startPlace(layout);
    let turns = 0;
    for (; turns < 10 && lastOf(place)?.event !== "stalled"; turns++) {
      send(place, "1.1", { call: `call-${turns}` });
      giveBack(place, "1.1", { call: `call-${turns}` });
      place.stop();
    }
    expect(turns).toBe(4);
  });

  it.each([
    ["of another session", { session_id: "session-2" }],
    ["that nobody started", { call: "call-9" }],
    ["in another folder", { cwd: "/" }],
    ["of which nothing is known", { tool_input: null }],
  ])("%s changes nothing", (_, fields) => {
    const place = startPlace(layout);
    send(place, "1.1");
    end(place);
    const before = place.entries().length;
    expect(giveBack(place, "1.1", fields)).toEqual(NOTHING);
    expect(place.entries()).toHaveLength(before);
  });

  it("checks a box that was ticked by hand before anything goes out", () => {
    const place = placeWith(layout, "`test -f made`");
    send(place, "1.1");
    end(place, { last_assistant_message: "Half of it is there." });
    tickByHand(place, "1.1");
    const { context, say } = giveBack(place, "1.1");
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    expect(context).toContain("Task 1.1 → ");
    expect(say).toContain("1.1 did not pass the check, so it is open again");
  });
});

it("a return that comes twice counts once", () => {
  const place = startPlace(specum);
  work(place, "1.1");
  const before = place.entries().length;
  expect(giveBack(place, "1.1")).toEqual(NOTHING);
  expect(place.entries()).toHaveLength(before);
});

it("an agent of a group whose text names its sibling is heard for its own task", () => {
  const place = startPlace(specum, {
    "specs/demo/tasks.md":
      "- [ ] 1.1 [P] One\n  - _Requirements: AC-1.2_\n- [ ] 1.2 [P] Two\n- [ ] 1.3 Three\n",
  });
  const { orders } = send(place, "1.1");
  const record = { type: "user", message: { role: "user", content: orders } };
  const path = join(place.root, "agent.jsonl");
  writeFileSync(path, `${JSON.stringify(record)}\n`);
  end(place, { agent_transcript_path: path });
  expect(existsSync(path)).toBe(true);
  expect(place.tasks()).toContain("- [x] 1.1 ");
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { commandAfter, phaseBefore } from "../../src/layouts/phases.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { enterPhase, type Flow, GOAL, makeFlow, nameIn, startFlow } from "./flow.ts";
import { expectRefusal, SESSION } from "./support.ts";

/** What is on disk of a spec, byte for byte. */
const bytes = (flow: Flow): string[] => [
  readFileSync(join(flow.folder, flow.layout.stateFile), "utf8"),
  readFileSync(join(flow.folder, flow.layout.journalFile), "utf8"),
];

describe.each(layouts)("$plugin", (layout) => {
  const [first, ...later] = layout.phases as [Phase, ...Phase[]];

  it.each(later)("$name approves the document before it and prints the prompt", (phase) => {
    const flow = startFlow(layout);
    const before = phaseBefore(layout.phases, phase) as Phase;
    for (const { document } of layout.phases.slice(0, layout.phases.indexOf(phase)))
      flow.write(document);
    flow.typeJson(before.name);
    expect(flow.json(["submit"])).toMatchObject({ code: 0, document: before.document });
    expect(flow.state()).toMatchObject({ awaitingApproval: true });
    const out = flow.prompt(phase.name);
    expect(out).toContain(`phase ${phase.name} of ${layout.unit} \`${nameIn(layout)}\``);
    expect(out).toContain(`${layout.plugin}:${phase.agent}`);
    expect(out).toContain(`/${layout.plugin}:${commandAfter(layout.phases, phase)} approves it`);
    expect(out).toContain(before.document);
    expect(flow.state()).toMatchObject({ phase: phase.name, awaitingApproval: false });
    expect(flow.state()).not.toHaveProperty("approvalReason");
    expect(flow.entries().at(-1)).toMatchObject({
      event: "phase",
      note: `${phase.name}, ${before.document} approved`,
      loop: { open: true, session: SESSION },
    });
  });

  it.each(later)("$name continues without a document before it, and says so", (phase) => {
    const flow = startFlow(layout);
    const before = phaseBefore(layout.phases, phase) as Phase;
    expect(flow.prompt(phase.name)).toMatch(`There is no ${before.document}; continuing without`);
    expect(flow.entries().at(-1)?.note).toBe(phase.name);
  });

  it.each(layout.phases)("$name keeps every field of an older state, in its place", (phase) => {
    const old = {
      featureId: "001",
      custom: { deep: [1] },
      phase: first.name,
      awaitingApproval: true,
      commitSpec: false,
      granularity: "fine",
      taskIndex: 4,
    };
    const folder = `${layout.specsDirs[0]}/${nameIn(layout)}`;
    const flow = makeFlow(layout, { [`${folder}/${layout.stateFile}`]: JSON.stringify(old) });
    expect(flow.type(phase.name).code).toBe(0);
    const state = flow.state() ?? {};
    expect(Object.keys(state).slice(0, 7)).toEqual(Object.keys(old));
    expect(state).toMatchObject({ ...old, phase: phase.name, awaitingApproval: false });
    expect(state).not.toHaveProperty("quickMode");
  });

  it.each(['{"phase":', "[]", ""])("a phase rebuilds the state %j, and says so", (text) => {
    const flow = startFlow(layout);
    writeFileSync(join(flow.folder, layout.stateFile), text);
    expect(flow.prompt(first.name)).toMatch(
      /^The old state was unusable \(it is .*\); rebuilt from the documents\./,
    );
    expect(flow.state()).toMatchObject({ phase: first.name, name: nameIn(layout) });
  });

  it("a phase of the other layout is refused", () => {
    const other = layout === specum ? speckit : specum;
    const flow = startFlow(layout);
    const [foreign] = other.phases as [Phase];
    expectRefusal(
      flow.type(foreign.name),
      EXIT.usage,
      `${layout.plugin} has no phase ${foreign.name}; its phases are ${first.name}, `,
    );
  });

  it("a phase is refused where the plugin is off, where there is no spec, and in place of a folder", () => {
    const [second] = later as [Phase];
    const off = startFlow(layout);
    const settings = join(off.root, layout.settingsFile);
    mkdirSync(join(settings, ".."));
    writeFileSync(settings, "---\nenabled: no\n---\n");
    const before = bytes(off);
    expectRefusal(off.type(second.name), EXIT.refused, /is disabled in this project/);
    expect(bytes(off)).toEqual(before);
    expectRefusal(makeFlow(layout).type(second.name), EXIT.missing, /begin with .*start/);
    const folder = makeFlow(layout, {
      [`${layout.specsDirs[0]}/demo/${layout.stateFile}/mine`]: "",
    });
    expectRefusal(folder.type(second.name), EXIT.broken, /is a folder that we did not create/);
  });

  it("the first phase takes a goal, as Spec Kit's users type it, or a spec", () => {
    const flow = makeFlow(layout);
    const made = flow.typeJson(first.name, "Count", "requests", "--tasks-size", "fine");
    expect(made).toMatchObject({ created: true, phase: first.name });
    const again = flow.typeJson(first.name, String(made["spec"]));
    expect(again).toMatchObject({ phase: first.name, spec: made["spec"] });
    expect(again).not.toHaveProperty("created");
  });

  it("an agent does not approve its own work, nor begin a phase again", () => {
    const flow = startFlow(layout);
    const [second] = later as [Phase];
    flow.write(first.document);
    expect(flow.call("submit").code).toBe(0);
    const before = bytes(flow);
    const users = (verb: string) => new RegExp(`^[^;]*: only the user can run ${verb}`);
    for (const { name } of layout.phases) expectRefusal(flow.call(name), EXIT.refused, users(name));
    for (const args of [["start", "--quick"], ["start"], ["new", "other", "another goal"]])
      expectRefusal(flow.call(...args), EXIT.refused, users("start"));
    expectRefusal(flow.call("approve"), EXIT.refused, users("approve"));
    flow.write("tasks.md");
    expectRefusal(flow.call("repair"), EXIT.missing, /nothing to repair: .* is in phase/);
    expectRefusal(flow.call("implement"), EXIT.refused, users("implement"));
    expectRefusal(
      flow.type("approve"),
      EXIT.refused,
      /is not approved this way; the user approves/,
    );
    expect(bytes(flow)).toEqual(before);
    writeFileSync(join(flow.folder, layout.stateFile), "broken");
    for (const { name } of layout.phases) expectRefusal(flow.call(name), EXIT.refused, users(name));
    expect(flow.prompt(second.name)).toContain(`phase ${second.name}`);
  });

  it("in execution an agent does not go back to a phase, and a user does once the run is paused", () => {
    const flow = startFlow(layout);
    const last = enterPhase(flow, layout.phases.at(-1)?.name ?? "");
    flow.write("tasks.md");
    flow.prompt("implement");
    expectRefusal(flow.call(last.name), EXIT.refused, /only the user can run/);
    const before = bytes(flow);
    for (const { name } of layout.phases)
      expectRefusal(
        flow.type(name),
        EXIT.refused,
        /the tasks of ".*" are being worked on, 1 of 1 task still open; \/.*:pause pauses the run.*:cancel ends it/,
      );
    expect(bytes(flow), "the run is as it was").toEqual(before);
    flow.type("pause");
    expect(flow.prompt(last.name)).toContain(`${last.document} already exists`);
    expect(flow.state()).toMatchObject({ phase: last.name });
    expect(flow.stop(), "before execution the agent may stop").toEqual({});
  });

  it("a phase that another session was in is taken over, and said to be", () => {
    const flow = startFlow(layout);
    const { out } = flow.slash([first.name], "session-2");
    expect(out).toMatch(/^This run was bound to another session; it now belongs to this one/);
    expect(flow.state()).toMatchObject({ sessionId: "session-2" });
    expectRefusal(flow.call("submit"), EXIT.refused, /belongs to another session/);
  });

  it("the phases end in execution, with the counts reset", () => {
    const flow = startFlow(layout);
    for (const { name, document } of layout.phases) {
      flow.prompt(name);
      flow.write(document);
      expect(flow.json(["submit"])).toMatchObject({ code: 0 });
    }
    expect(flow.prompt("implement")).toContain("Task 1.1 → ");
    expect(flow.state()).toMatchObject({ phase: "execution", awaitingApproval: false });
    expect(flow.stop()).toMatchObject({ decision: "block" });
  });
});

it("questions are many at the beginning and few later; the plan of tasks follows the intent", () => {
  const flow = makeFlow(specum);
  const research = flow.prompt("start", "rate-limit", "Build a new shop from scratch");
  expect(research).toContain("5 to 10 questions");
  flow.write("research.md");
  expect(flow.prompt("requirements")).toContain("at most 3 questions, or none");
  const tasks = flow.prompt("tasks", "rate-limit");
  expect(tasks).toMatch(/- Intent: looks like something new .*\n- Granularity: coarse\n/);
  const form = flow.run(["template", "tasks"]).out;
  expect(form).toMatch(/in this order: 1 Make It Work .*; 2 Refactoring, .*; 5 Pull Request>/);
  expect(form).toContain("coarse, 10 to 20 tasks");
  expect(tasks).toContain("Written so far: research.md");
});

it("a phase reads on from what others have left: map, constitution, related specs", () => {
  const flow = makeFlow(speckit, {
    ".specify/memory/constitution.md": "# Rules\n",
    ".specify/specs/001-old/spec.md": "# Old\n\nCount requests and refuse too many.\n",
  });
  const out = flow.prompt("start", GOAL);
  expect(out).toContain("Rules of the project: ./.specify/memory/constitution.md");
  expect(out).toMatch(/Related: 001-old \(High\)/);
});

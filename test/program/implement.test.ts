import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { everyLayout, layouts } from "../support/editions.ts";
import { ordersFor } from "./agents.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  pointerOf,
  type Place,
  SESSION,
  startPlace,
} from "./support.ts";

const pointer = ({ root, layout }: Place): string => join(root, pointerOf(layout));

const tasksPath = (layout: Edition): string => `${layout.specsDirs[0]}/demo/tasks.md`;

describe.each(layouts)("$plugin implement", (layout) => {
  it("commits documents only if the settings do not say otherwise", () => {
    const settings = { [layout.settingsFile]: "---\nauto_commit_spec: false\n---\n" };
    expect(startPlace(layout, settings).state()).toMatchObject({ commitSpec: false });
    expect(startPlace(layout).state()).toMatchObject({ commitSpec: true });
  });

  it("counts, binds, points, and prints the prompt with the first task", () => {
    const place = makePlace(layout);
    const { code, out, err } = place.slash(["implement"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("3 of 3 tasks are open");
    expect(out).toContain(`\nTask 1.1 → ${layout.plugin}:spec-executor: First\n`);
    expect(place.state()).toMatchObject({
      source: "spec",
      name: "demo",
      basePath: `./${layout.specsDirs[0]}/demo`,
      phase: "execution",
      taskIndex: 0,
      totalTasks: 3,
      taskIteration: 1,
      maxTaskIterations: 5,
      globalIteration: 1,
      maxGlobalIterations: 100,
      recoveryMode: false,
      awaitingApproval: false,
      sessionId: SESSION,
    });
    expect(readFileSync(pointer(place), "utf8")).toBe("demo\n");
    expect(place.entries().map(({ event }) => event)).toEqual(["start"]);
    expect(readdirSync(place.folder).sort()).toEqual(
      [".progress.md", layout.journalFile, layout.stateFile, "tasks.md"].sort(),
    );
    expect(ordersFor(place, "1.1")).toMatch(
      /^# Task 1\.1 of \w+ demo\n[^]*\n- \[ \] 1\.1 First\n  - \*\*Do\*\*: the first thing\n+If nothing has to change [^\n]+$/,
    );
  });

  it.each([
    ["a name", ["implement", "demo"]],
    ["--spec", ["implement", "--spec", "demo"]],
    ["a path", ["implement", `./${layout.specsDirs[0]}/demo`]],
  ])("takes the spec by %s", (_, argv) => {
    const place = makePlace(layout, { [`${layout.specsDirs[0]}/other/tasks.md`]: "- [ ] 1.1 x\n" });
    expect(place.json(argv)).toMatchObject({
      code: 0,
      ok: true,
      spec: "demo",
      open: 3,
      next: ["1.1"],
    });
    expect(readFileSync(pointer(place), "utf8")).toBe("demo\n");
  });

  it("starts at the first open box and keeps its options", () => {
    const tasks = "- [x] 1.1 a\n- [ ] 1.2 b\n- [x] 1.3 c\n- [ ] 1.4 d\n";
    const place = makePlace(layout, { [tasksPath(layout)]: tasks });
    const limits = ["--max-task-iterations", "2", "--max-global-iterations=7", "--recovery-mode"];
    expect(place.slashJson(["implement", ...limits])).toMatchObject({
      ok: true,
      open: 2,
      total: 4,
      session: SESSION,
      next: ["1.2"],
    });
    expect(place.state()).toMatchObject({
      taskIndex: 1,
      maxTaskIterations: 2,
      maxGlobalIterations: 7,
      recoveryMode: true,
    });
  });

  it("merges into an old state: unknown fields and the order of all are kept", () => {
    const old = {
      custom: { deep: [1] },
      taskIndex: 9,
      maxTaskIterations: 8,
      phase: "tasks",
      awaitingApproval: true,
      commitSpec: false,
    };
    const state = `${layout.specsDirs[0]}/demo/${layout.stateFile}`;
    const place = makePlace(layout, { [state]: JSON.stringify(old) });
    // Nobody but the user approves the tasks.
    expectRefusal(
      place.run(["implement"], IN_SESSION),
      EXIT.refused,
      "only the user can run implement",
      `/${layout.plugin}:implement demo does it, and end your turn`,
    );
    expect(place.state()).toEqual(old);
    expect(place.slash(["implement"]).code).toBe(0);
    const merged = place.state() ?? {};
    expect(Object.keys(merged).slice(0, 6)).toEqual(Object.keys(old));
    expect(merged).toMatchObject({
      custom: { deep: [1] },
      taskIndex: 0,
      // A state that was not begun here raises no limit.
      maxTaskIterations: 5,
      phase: "execution",
      awaitingApproval: false,
      commitSpec: false,
    });
  });

  it("takes bad numbers in an old state for the defaults", () => {
    const state = `${layout.specsDirs[0]}/demo/${layout.stateFile}`;
    const bad = { maxTaskIterations: "many", maxGlobalIterations: 0, totalTasks: -1 };
    const place = makePlace(layout, { [state]: JSON.stringify(bad) });
    expect(place.slash(["implement"]).code).toBe(0);
    expect(place.state()).toMatchObject({ maxTaskIterations: 5, maxGlobalIterations: 100 });
    expect(place.entries()[0]?.loop).toMatchObject({
      maxAttempts: 5,
      maxIterations: 100,
      total: 3,
    });
  });

  it.each(['{"phase":', "[]", ""])("rebuilds the state %j, and says so", (text) => {
    const state = `${layout.specsDirs[0]}/demo/${layout.stateFile}`;
    const place = makePlace(layout, { [state]: text });
    const { code, out } = place.slash(["implement"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^The old state was unusable \(it is .*\); rebuilt from tasks\.md\./m);
    expect(place.state()).toMatchObject({ phase: "execution", totalTasks: 3 });
  });

  it("has nothing to do when all is ticked, and clears a state that was left", () => {
    const place = startPlace(layout);
    writeFileSync(join(place.folder, "tasks.md"), "- [x] 1.1 a\n- [X] 1.2 b\n");
    expect(place.slashJson(["implement"])).toMatchObject({ code: 0, ok: true, open: 0, total: 2 });
    expect(place.state()).toBeUndefined();
    expect(place.slash(["implement"]).out).toMatch(/Nothing to do: all 2 tasks/);
  });

  it.each<[what: string, files: Record<string, string>, code: number, says: RegExp]>([
    [
      "no tasks in it",
      { "tasks.md": "# Tasks\n\nSoon.\n" },
      EXIT.missing,
      /tasks\.md has no tasks; .*"- \[ \] (?:1\.1|T001) title"/,
    ],
    ["only boxes in code", { "tasks.md": "```\n- [ ] 1.1 a\n```\n" }, EXIT.missing, /has no tasks/],
    [
      "a task that would be skipped",
      { "tasks.md": "- [ ] 1.1 a\n- ☐ 1.2 b\n" },
      EXIT.refused,
      /tasks\.md:2: This looks like a task, but its box is written ☐\. It is not read as one; write it as `- \[ \] 1\.2 b`/,
    ],
    [
      "a folder for tasks.md",
      { "tasks.md/": "" },
      EXIT.broken,
      /tasks\.md cannot be read: it is not a file/,
    ],
  ])("refuses a spec with %s", (_, files, code, says) => {
    const place = makePlace(layout, {}, "other");
    for (const name of Object.keys(files)) {
      const path = join(place.root, layout.specsDirs[0], "demo", name);
      mkdirSync(name.endsWith("/") ? path : join(path, ".."), { recursive: true });
      if (!name.endsWith("/")) writeFileSync(path, files[name] as string);
    }
    expectRefusal(place.slash(["implement", "demo"]), code, says);
    expect(readdirSync(join(place.root, layout.specsDirs[0], "demo"))).toEqual(["tasks.md"]);
    expect(readdirSync(join(pointer(place), ".."))).not.toContain(layout.pointer);
  });
});

it.each(everyLayout)("begins the notes of a list that has none: $plugin", (layout) => {
  const notes = (place: Place): string => readFileSync(join(place.folder, ".progress.md"), "utf8");
  const place = makePlace(layout);
  place.slash(["implement"]);
  expect(notes(place)).toMatch(
    /^---\nspec: demo\ncreated: [\d-]+\n---\n\n# Progress: demo\n\n## Original Goal\n\ndemo\n[^]*\n## Learnings\n/,
  );
  const own = makePlace(layout, { [`${layout.specsDirs[0]}/demo/.progress.md`]: "# Mine\n" });
  own.slash(["implement"]);
  expect(notes(own)).toMatch(/^# Mine\n/);
  expect(notes(own)).not.toContain("Original Goal");
});

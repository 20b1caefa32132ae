import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { layouts, specum } from "../../test/support/editions.ts";
import { openProject, type Project } from "../store/project.ts";
import { readActiveEpic, specInEpic, writeEpicStatus } from "./standing.ts";

const NOW = { at: "2026-01-01T00:00:00.000Z", runId: "r" };

const stateOf = (...specs: readonly object[]): string => JSON.stringify({ goal: "g", specs });

function makeProject(files: Readonly<Record<string, string>>, layout = specum): Project {
  return openProject(layout, fillFolder(makeFolder(), files));
}

const TWO_EPICS = {
  "specs/.current-epic": "present\n",
  "specs/_epics/present/.epic-state.json": stateOf({ name: "a", goal: "new a" }, { name: "b" }),
  "specs/_epics/former/.epic-state.json": stateOf({ name: "a", goal: "old a" }, { name: "c" }),
  "specs/_epics/torn/.epic-state.json": "{",
};

describe.each(layouts)("what is on disk of a spec of $plugin", (layout) => {
  const [specs] = layout.specsDirs;
  const home = layout.extras ?? specs;
  const document = layout.phases[0]?.document ?? "";
  it.each<[files: Record<string, string>, status: string]>([
    [{}, "pending"],
    [{ "a/": "" }, "pending"],
    [{ "a/.progress.md": "", "a/notes.md": "" }, "pending"],
    [{ [`a/${document}`]: "" }, "in_progress"],
    [{ [`a/${layout.stateFile}`]: "{}" }, "in_progress"],
    [{ "a/tasks.md": "" }, "in_progress"],
    [{ "a/tasks.md": "- [x] 1.1 a\n- [ ] 1.2 b\n" }, "in_progress"],
    [{ "a/tasks.md": "- [x] 1.1 a\n- [X] 1.2 b\n" }, "completed"],
    [{ "a/tasks.md/": "" }, "in_progress"],
  ])("%j is %s", (files, status) => {
    const project = makeProject(
      {
        [`${home}/.current-epic`]: "big",
        [`${home}/_epics/big/.epic-state.json`]: stateOf({ name: "a" }),
        ...Object.fromEntries(
          Object.entries(files).map(([path, text]) => [`${specs}/${path}`, text]),
        ),
      },
      layout,
    );
    expect(readActiveEpic(project)?.planned.specs).toMatchObject([{ name: "a", status }]);
  });
});

describe("readActiveEpic", () => {
  it("knows nothing of an epic that is not set, gone or corrupt", () => {
    expect(readActiveEpic(makeProject({}))).toBeUndefined();
    expect(readActiveEpic(makeProject({ ...TWO_EPICS, "specs/.current-epic": "no" }))).toBe(
      undefined,
    );
    expect(readActiveEpic(makeProject({ ...TWO_EPICS, "specs/.current-epic": "torn" }))).toBe(
      undefined,
    );
  });

  it("is not led astray by the names of specs that someone wrote", () => {
    const names = ["../../outside", "/etc", "..", "_epics", "\u001b[31m", "a\u0000b"];
    const project = makeProject({
      ...TWO_EPICS,
      "specs/_epics/present/.epic-state.json": stateOf(...names.map((name) => ({ name }))),
    });
    const statuses = readActiveEpic(project)?.planned.specs.map(({ status }) => status);
    expect(statuses).toEqual(names.map(() => "pending"));
  });

  it("takes a name in several of specs_dirs for the first one", () => {
    const project = makeProject({
      [specum.settingsFile]: "---\nspecs_dirs: [specs, more]\n---\n",
      ...TWO_EPICS,
      "more/a/tasks.md": "- [ ] 1.1 a\n",
      "specs/a/tasks.md": "- [x] 1.1 a\n",
    });
    expect(readActiveEpic(project)?.planned.next?.name).toBe("b");
  });
});

describe("specInEpic", () => {
  it.each([
    ["a", "present", "new a"],
    ["b", "present", undefined],
    ["c", "former", undefined],
  ])("finds %s in %s, whose goal for it is %s", (name, epic, goal) => {
    expect(specInEpic(makeProject(TWO_EPICS), name)).toMatchObject({ epic: { name: epic }, goal });
  });

  it("finds no other", () => {
    expect(specInEpic(makeProject(TWO_EPICS), "stranger")).toBeUndefined();
    expect(specInEpic(makeProject({}), "a")).toBeUndefined();
  });
});

describe("writeEpicStatus", () => {
  const textOf = (project: Project, epic: string): string =>
    readFileSync(join(project.root, "specs/_epics", epic, ".epic-state.json"), "utf8");

  it("records it in the spec's own epic, once", () => {
    const project = makeProject(TWO_EPICS);
    const before = textOf(project, "former");
    writeEpicStatus(project, "a", "in_progress", NOW);
    expect(textOf(project, "former")).toBe(before);
    expect(JSON.parse(textOf(project, "present"))).toEqual({
      goal: "g",
      specs: [{ name: "a", goal: "new a", status: "in_progress", statusAt: NOW.at }, { name: "b" }],
    });
    const { ino } = statSync(join(project.root, "specs/_epics/present/.epic-state.json"));
    writeEpicStatus(project, "a", "in_progress", { ...NOW, at: "later" });
    expect(statSync(join(project.root, "specs/_epics/present/.epic-state.json")).ino).toBe(ino);
    expect(readdirSync(join(project.root, "specs/_epics/present"))).toEqual([".epic-state.json"]);
  });

  it("does nothing for a spec of no epic", () => {
    const project = makeProject(TWO_EPICS);
    writeEpicStatus(project, "stranger", "completed", NOW);
    writeEpicStatus(makeProject({}), "a", "completed", NOW);
    for (const epic of ["present", "former", "torn"])
      expect(textOf(project, epic)).toBe(
        TWO_EPICS[`specs/_epics/${epic}/.epic-state.json` as keyof typeof TWO_EPICS],
      );
  });
});

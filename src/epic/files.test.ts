import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { layouts, specum } from "../../test/support/editions.ts";
import { openProject, type Project } from "../store/project.ts";
import { findSpec, listSpecs } from "../store/spec.ts";
import {
  type EpicPlace,
  findActiveEpic,
  findEpic,
  type EpicLookup,
  listEpics,
  makeEpicFolder,
  readEpic,
  writeEpic,
  writeEpicDocument,
  writeEpicPointer,
} from "./files.ts";
import { beginEpic } from "./model.ts";

const STATE = JSON.stringify({ name: "big", goal: "g", specs: [{ name: "a" }], mine: 1 });

/** A project in a folder that has a sibling, so that there is something to escape to. */
function makeProject(files: Readonly<Record<string, string>> = {}, layout = specum): Project {
  const root = makeFolder();
  fillFolder(root, { "outside/big/.epic-state.json": STATE, "project/": "" });
  const project = join(root, "project");
  fillFolder(project, { [`${layout.specsDirs[0]}/`]: "", ...files });
  return openProject(layout, project);
}

const shown = (found: EpicLookup): string =>
  found.kind === "ok" ? found.place.basePath : found.kind;
const BIG = { "specs/_epics/big/.epic-state.json": STATE };

describe("findEpic", () => {
  it.each([
    ["big", "./specs/_epics/big"],
    ["older Name", "./specs/_epics/older Name"],
    ["gone", "none"],
    ["a-file", "none"],
    ["", "refused"],
    [".", "refused"],
    ["..", "refused"],
    [".hidden", "refused"],
    ["../../../outside/big", "refused"],
    ["./specs/_epics/big", "refused"],
    ["/etc", "refused"],
    ["..\\big", "refused"],
    ["C:big", "refused"],
    ["big\n", "refused"],
    ["big\u0000", "refused"],
    ["\u001b[31mbig", "refused"],
    ["link", "refused"],
    ["x".repeat(5000), "none"],
  ])("takes %.40j for %s", (name, expected) => {
    const files = { "specs/_epics/older Name/": "", "specs/_epics/a-file": "", ...BIG };
    const project = makeProject({ ...files, "specs/_epics/.hidden/": "" });
    symlinkSync("../../../outside/big", join(project.root, "specs/_epics/link"));
    const found = findEpic(project, name);
    expect(shown(found)).toBe(expected);
    if ("why" in found) expect(found.why).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|x{300}/);
    expect(listEpics(project).map((place) => place.name)).toEqual(["big", "older Name"]);
  });

  it("refuses them all if the folder of epics leads out", () => {
    const project = makeProject();
    symlinkSync("../../outside", join(project.root, "specs/_epics"));
    expect(shown(findEpic(project, "big"))).toBe("refused");
    expect(listEpics(project)).toEqual([]);
    expect(() => makeEpicFolder(project, "new")).toThrow(/is a link out of the project/);
    expect(() => makeEpicFolder(project, "big")).toThrow(/is a link out of the project/);
    expect(readdirSync(join(project.root, "../outside"))).toEqual(["big"]);
  });
});

describe("the pointer", () => {
  it.each([
    ["big", "./specs/_epics/big"],
    ["\uFEFF big \r\n", "./specs/_epics/big"],
    ["", "none"],
    ["gone\n", "none"],
    ["big\nother\n", "refused"],
    ["../big", "refused"],
    ["x".repeat(5000), "refused"],
  ])("%.40j leads to %s", (text, expected) => {
    const project = makeProject({ ...BIG, "specs/.current-epic": text });
    expect(shown(findActiveEpic(project))).toBe(expected);
  });

  it("says whether it is unset or out of date, and may be a folder", () => {
    expect(findActiveEpic(makeProject())).toMatchObject({ kind: "none", unset: true });
    const gone = makeProject({ "specs/.current-epic": "gone" });
    expect(findActiveEpic(gone)).not.toHaveProperty("unset");
    const folder = makeProject({ "specs/.current-epic/": "" });
    expect(findActiveEpic(folder)).toEqual({
      kind: "refused",
      why: "./specs/.current-epic: it is not a file",
    });
  });
});

describe.each(layouts)("an epic of $plugin", (layout) => {
  const home = layout.extras ?? layout.specsDirs[0];

  it("is created, written, pointed to and found again", () => {
    const project = makeProject({}, layout);
    const place = makeEpicFolder(project, "big");
    expect(place.basePath).toBe(`./${home}/_epics/big`);
    expect(readEpic(place)).toEqual({ kind: "absent" });
    writeEpic(place, beginEpic("big", "goal"));
    writeEpicPointer(place);
    expect(findActiveEpic(project)).toEqual({ kind: "ok", place });
    expect(readEpic(place)).toMatchObject({ kind: "ok", epic: { goal: "goal", specs: [] } });
    expect(listSpecs(project)).toEqual([]);
    expect(findSpec(project, "_epics").kind).toBe("none");
    expect(findSpec(project, `./${home}/_epics`).kind).toBe("none");
  });

  it("is in the first specs folder that exists, unless the layout has another place", () => {
    const root = fillFolder(makeFolder(), { "specs/": "", ".specify/": "" });
    expect(makeEpicFolder(openProject(layout, root), "big").basePath).toBe(
      `./${layout.extras ?? "specs"}/_epics/big`,
    );
  });
});

describe("readEpic", () => {
  const at = (project: Project): EpicPlace =>
    (findEpic(project, "big") as { place: EpicPlace }).place;

  it("goes by the folder's name, and keeps what it does not know", () => {
    const project = makeProject({
      "specs/_epics/big/.epic-state.json": STATE.replace('"big"', '"renamed"'),
    });
    const file = readEpic(at(project));
    expect(file).toMatchObject({ kind: "ok", epic: { name: "big", raw: { mine: 1 } } });
    if (file.kind === "ok") writeEpic(at(project), file.epic);
    const written = JSON.parse(readFileSync(at(project).state, "utf8")) as object;
    expect(written).toMatchObject({ name: "renamed", mine: 1 });
  });

  it.each<[what: string, files: Record<string, string>, why: RegExp]>([
    ["a folder", { "specs/_epics/big/.epic-state.json/": "" }, /not a file/],
    ["half a file", { "specs/_epics/big/.epic-state.json": STATE.slice(0, 20) }, /not valid JSON/],
    ["too much", { "specs/_epics/big/.epic-state.json": " ".repeat(1 << 21) }, /larger than 1 MB/],
  ])("cannot use %s", (_, files, why) => {
    expect(readEpic(at(makeProject(files)))).toMatchObject({
      kind: "corrupt",
      why: expect.stringMatching(why) as string,
    });
  });

  it("follows no link out, and writes through none", () => {
    const project = makeProject({ "specs/_epics/big/": "" });
    const target = join(project.root, "../outside/big/.epic-state.json");
    symlinkSync(target, at(project).state);
    symlinkSync(target, at(project).document);
    symlinkSync(target, join(project.root, "specs/.current-epic"));
    expect(readEpic(at(project))).toMatchObject({ kind: "corrupt" });
    writeEpic(at(project), beginEpic("big", "mine"));
    writeEpicDocument(at(project), () => "mine");
    writeEpicPointer(at(project));
    expect(readFileSync(target, "utf8")).toBe(STATE);
    expect(readEpic(at(project))).toMatchObject({ kind: "ok" });
    expect(shown(findActiveEpic(project))).toBe("./specs/_epics/big");
  });
});

describe("writeEpicDocument", () => {
  it("writes only what changes, and keeps bytes that are not UTF-8", () => {
    const place = makeEpicFolder(makeProject(), "big");
    writeEpicDocument(place, (text) => text);
    expect(existsSync(place.document)).toBe(false);
    writeFileSync(place.document, Buffer.from("caf\u00e9", "latin1"));
    writeEpicDocument(place, (text) => `${text}!`);
    expect(readFileSync(place.document)).toEqual(Buffer.from("caf\u00e9!", "latin1"));
    expect(readdirSync(place.folder)).toEqual(["epic.md"]);
  });
});

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { speckit, specum } from "../../test/support/editions.ts";
import { findProject, findProjectWithSpecs, openProject } from "./project.ts";

const POINTER = "specs/.current-spec";
const SETTINGS = ".claude/ralph-specum.local.md";

let home: string;
const oldHome = process.env["HOME"];
beforeEach(() => {
  home = makeFolder();
  process.env["HOME"] = home;
});
afterEach(() => {
  process.env["HOME"] = oldHome;
});

const rootFrom = (...starts: string[]): string | undefined =>
  findProject(
    specum,
    starts.map((start) => join(home, start)),
  )?.root.slice(home.length + 1);

describe("findProject", () => {
  it.each<[what: string, files: string[], starts: string[], root: string | undefined]>([
    ["the folder with the pointer", [`a/${POINTER}`], ["a"], "a"],
    ["a subfolder of it", [`a/${POINTER}`, "a/b/c/"], ["a/b/c"], "a"],
    ["a folder that does not exist", [`a/${POINTER}`], ["a/gone/too"], "a"],
    ["a folder with settings only", [`a/${SETTINGS}`, "a/b/"], ["a/b"], "a"],
    ["the nearest of two", [`a/${POINTER}`, `a/b/${POINTER}`, "a/b/c/"], ["a/b/c"], "a/b"],
    ["the top of a repository", [`a/${POINTER}`, "a/.git/HEAD", "a/b/"], ["a/b"], "a"],
    ["no further than that", [`a/${POINTER}`, "a/b/.git/HEAD", "a/b/c/"], ["a/b/c"], undefined],
    ["a package in a repository", ["a/.git/HEAD", `a/b/${POINTER}`, "a/b/c/"], ["a/b/c"], "a/b"],
    ["nothing", ["a/b/"], ["a/b"], undefined],
    ["specs without a pointer", ["a/specs/x/tasks.md"], ["a"], undefined],
    ["not the home folder from below", [POINTER, "a/b/"], ["a/b"], undefined],
    ["the home folder from itself", [POINTER], ["."], "" as const],
    ["the first start that leads anywhere", [`a/${POINTER}`, `b/${POINTER}`], ["b", "a"], "b"],
    ["the second, if the first leads nowhere", [`a/${POINTER}`, "b/"], ["b", "a"], "a"],
  ])("finds %s", (_, files, starts, root) => {
    fillFolder(home, Object.fromEntries(files.map((file) => [file, ""])));
    expect(rootFrom(...starts)).toBe(root);
  });

  it("stops at the top of a linked work tree, whose .git is a file", () => {
    fillFolder(home, {
      [`a/${POINTER}`]: "",
      "a/.git/worktrees/w/commondir": "../..\n",
      "a/w/.git": `gitdir: ${join(home, "a/.git/worktrees/w")}\n`,
      "a/w/src/": "",
    });
    expect(rootFrom("a/w/src")).toBeUndefined();
    fillFolder(home, { [`a/w/${POINTER}`]: "" });
    expect(rootFrom("a/w/src")).toBe("a/w");
  });

  it("bears a .git that is a loop of links", () => {
    fillFolder(home, { [`a/${POINTER}`]: "", "a/b/": "" });
    symlinkSync("../b/.git", join(home, "a/b/.git"));
    expect(rootFrom("a/b")).toBe("a");
  });

  it("does not go up out of a folder that a link leads into", () => {
    fillFolder(home, { [`a/${POINTER}`]: "", "a/real/": "", "elsewhere/": "" });
    symlinkSync("../a/real", join(home, "elsewhere/link"));
    expect(rootFrom("elsewhere/link")).toBeUndefined();
  });

  it("does not climb up a path that no folder has", () => {
    fillFolder(home, { [`a/${POINTER}`]: "" });
    expect(rootFrom("a", "b/".repeat(2_000_000))).toBe("a");
    expect(rootFrom("b/".repeat(2_000_000), "a")).toBe("a");
  });

  it("keeps the layouts apart", () => {
    fillFolder(home, { ".specify/.current-feature": "", [POINTER]: "" });
    rmSync(join(home, POINTER));
    expect(findProject(specum, [home])).toBeUndefined();
    expect(findProject(speckit, [home])).toMatchObject({
      root: home,
      specsDirs: [join(home, ".specify/specs"), join(home, "specs")],
      pointer: join(home, ".specify/.current-feature"),
    });
  });
});

describe("findProjectWithSpecs", () => {
  it.each([
    [specum, "specs", true],
    [specum, ".specify/specs", false],
    [speckit, ".specify", true],
    [speckit, "specs", false],
  ])("for %o takes a folder with %s: %s", (layout, folder, found) => {
    mkdirSync(join(home, folder), { recursive: true });
    expect(findProjectWithSpecs(layout, [home]) !== undefined).toBe(found);
  });

  it("prefers a pointer above to mere specs below", () => {
    fillFolder(home, { [`a/${POINTER}`]: "", "a/b/specs/": "" });
    expect(findProjectWithSpecs(specum, [join(home, "a/b")])?.root).toBe(join(home, "a"));
  });
});

describe("specs_dirs", () => {
  it.each([
    ["none", "", ["specs"]],
    [
      "an inline list",
      "specs_dirs: [docs/specs, 'packages/api/specs']",
      ["docs/specs", "packages/api/specs"],
    ],
    ["a YAML list", "specs_dirs:\n  - docs/specs\n  - ./other/", ["docs/specs", "other"]],
    ["one name", "specs_dirs: docs", ["docs"]],
    ["the same twice", "specs_dirs: [specs, ./specs, other, specs/]", ["specs", "other"]],
    ["folders outside", "specs_dirs: [../others, /srv/specs, /, ..]", ["specs"]],
    ["the project itself", "specs_dirs: [., ./, x/..]", ["specs"]],
    ["git's own folder", "specs_dirs: [.git/x, a/.GIT]", ["specs"]],
    ["one inside and others", "specs_dirs: [/, docs, ../..]", ["docs"]],
    ["an empty list", "specs_dirs: []", ["specs"]],
  ])("with %s", (_, line, folders) => {
    const root = join(home, "project");
    fillFolder(root, { [SETTINGS]: `---\n${line}\n---\n` });
    const project = openProject(specum, root);
    const absolute = folders.map((name) => (name.startsWith("/") ? name : join(root, name)));
    expect(project.specsDirs).toEqual(absolute);
    expect(project.pointer).toBe(join(absolute[0] as string, ".current-spec"));
  });

  it.each(["a folder", "too large a file"])(
    "are the layout's own if the settings are %s",
    (kind) => {
      const text = `---\nspecs_dirs: [x]\n---\n${"x".repeat(300 << 10)}`;
      fillFolder(home, kind === "a folder" ? { [`${SETTINGS}/`]: "" } : { [SETTINGS]: text });
      expect(openProject(specum, home).specsDirs).toEqual([join(home, "specs")]);
    },
  );
});

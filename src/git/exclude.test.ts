import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PATH } from "../../test/program/child.ts";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { layouts, specum } from "../../test/support/editions.ts";
import type { Edition } from "../layouts/layout.ts";
import { openProject } from "../store/project.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { keepOutOfGit } from "./exclude.ts";

const HOME = makeFolder();
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
    cwd,
    env: { PATH, HOME, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: "pipe",
  });

function makeRepository(folder = makeFolder()): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  return folder;
}

/** A spec with all our files in it, half-written ones included. */
function makeSpec(layout: Edition, root: string, specsDir: string = layout.specsDirs[0]): Spec {
  const project = openProject(layout, root);
  const spec = specAt(project, join(root, specsDir, "demo"));
  fillFolder("/", {
    [spec.tasks]: "- [ ] 1.1 First\n",
    [spec.state]: "{}",
    [spec.journal]: "",
    [spec.lock]: "",
    [`${spec.lock}.123-456`]: "",
    [`${spec.state}.77.tmp`]: "",
    [join(spec.folder, ".progress-task-2.md")]: "",
    [project.pointer]: "demo\n",
  });
  return spec;
}

const untracked = (root: string): string[] =>
  git(root, "status", "--porcelain", "--untracked-files=all").split("\n").filter(Boolean);

const excluded = (root: string): string => readFileSync(join(root, ".git/info/exclude"), "utf8");

describe.each(layouts)("$plugin", (layout) => {
  const tasks = `${layout.specsDirs[0]}/demo/tasks.md`;

  it("hides its own files from git, and only those", () => {
    const root = makeRepository();
    expect(keepOutOfGit(makeSpec(layout, root))).toBeUndefined();
    expect(untracked(root)).toEqual([`?? ${tasks}`]);
  });

  it("does so in a project below the top of the repository", () => {
    const top = makeRepository();
    keepOutOfGit(makeSpec(layout, join(top, "apps/[api] v*")));
    expect(untracked(top)).toEqual([`?? "apps/[api] v*/${tasks}"`]);
  });

  it("does so in a linked work tree", () => {
    const root = makeRepository();
    const tree = join(makeFolder(), "tree");
    git(root, "worktree", "add", "-q", tree, "-b", "side");
    keepOutOfGit(makeSpec(layout, tree));
    expect(untracked(tree)).toEqual([`?? ${tasks}`]);
    expect(untracked(root)).toEqual([]);
  });
});

describe("keepOutOfGit", () => {
  it("adds its lines once, after the user's", () => {
    const root = makeRepository();
    writeFileSync(join(root, ".git/info/exclude"), "# mine\r\n*.local");
    const spec = makeSpec(specum, root);
    keepOutOfGit(spec);
    const once = excluded(root);
    expect(once.startsWith("# mine\r\n*.local\n# Smart Ralph")).toBe(true);
    keepOutOfGit(spec);
    expect(excluded(root)).toBe(once);
  });

  it("adds only what another layout has not added yet", () => {
    const root = makeRepository();
    for (const layout of [...layouts, ...layouts]) keepOutOfGit(makeSpec(layout, root));
    const lines = excluded(root)
      .split("\n")
      .filter((line) => line !== "");
    expect(new Set(lines).size).toBe(lines.length);
  });

  it("creates the list if there is none", () => {
    const root = makeRepository();
    rmSync(join(root, ".git/info"), { recursive: true });
    keepOutOfGit(makeSpec(specum, root));
    expect(untracked(root)).toEqual(["?? specs/demo/tasks.md"]);
  });

  it("hides the files of a spec in another repository there", () => {
    const root = makeRepository();
    const other = makeRepository();
    const said = { specsDirs: ["specs", other] };
    const project = openProject(specum, root, { path: undefined, said });
    const spec = specAt(project, join(other, "demo"));
    fillFolder("/", { [spec.state]: "{}", [spec.journal]: "", [spec.tasks]: "" });
    keepOutOfGit(spec);
    expect(untracked(other)).toEqual(["?? demo/tasks.md"]);
  });

  it("writes through a link in git's own folder, and keeps bytes that are not UTF-8", () => {
    const root = makeRepository();
    const list = join(root, ".git/common-exclude");
    writeFileSync(list, Buffer.from("caf\u00e9/\n", "latin1"));
    rmSync(join(root, ".git/info/exclude"));
    symlinkSync("../common-exclude", join(root, ".git/info/exclude"));
    keepOutOfGit(makeSpec(specum, root));
    expect(readFileSync(list).subarray(0, 6)).toEqual(Buffer.from("caf\u00e9/\n", "latin1"));
    expect(untracked(root)).toEqual(["?? specs/demo/tasks.md"]);
  });

  it.each(["info/exclude", "info"])("writes nothing if .git/%s is a link elsewhere", (name) => {
    const root = makeRepository();
    const outside = fillFolder(makeFolder(), { exclude: "mine\n" });
    rmSync(join(root, ".git", name), { recursive: true });
    symlinkSync(name === "info" ? outside : join(outside, "exclude"), join(root, ".git", name));
    expect(keepOutOfGit(makeSpec(specum, root))).toMatch(/out of the project/);
    expect(readFileSync(join(outside, "exclude"), "utf8")).toBe("mine\n");
    expect(readdirSync(outside)).toEqual(["exclude"]);
  });

  it.each<[what: string, lead: (project: string, other: string) => void]>([
    ["a .git file", (project, other) => fillFolder(project, { ".git": `gitdir: ${other}/.git\n` })],
    ["a .git link", (project, other) => symlinkSync(join(other, ".git"), join(project, ".git"))],
    [
      "a folder that pretends to be a linked work tree",
      (project, other) =>
        fillFolder(project, {
          ".git": "gitdir: fake\n",
          "fake/gitdir": `${project}/.git\n`,
          "fake/commondir": `${other}/.git\n`,
          "fake/HEAD": "ref: refs/heads/main\n",
        }),
    ],
    [
      "its own folder with another repository's common folder",
      (project, other) =>
        fillFolder(project, {
          ".git/commondir": `${other}/.git\n`,
          ".git/HEAD": "ref: refs/heads/main\n",
        }),
    ],
    [
      "another repository's work tree",
      (project, other) => {
        git(other, "worktree", "add", "-q", join(other, "../theirs"), "-b", "side");
        fillFolder(project, { ".git": `gitdir: ${other}/.git/worktrees/theirs\n` });
      },
    ],
  ])("does not touch another repository's list: %s", (_, lead) => {
    const home = makeFolder();
    const other = makeRepository(join(home, "other"));
    const before = excluded(other);
    const project = join(home, "project");
    mkdirSync(project);
    lead(project, other);
    expect(keepOutOfGit(makeSpec(specum, project))).toMatch(/names another work tree's repository/);
    expect(excluded(other)).toBe(before);
  });

  it("finds the list of a submodule", () => {
    const library = makeRepository();
    const top = makeRepository();
    git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
    const root = join(top, "lib");
    expect(keepOutOfGit(makeSpec(specum, root))).toBeUndefined();
    expect(untracked(root)).toEqual(["?? specs/demo/tasks.md"]);
  });

  it("says what is wrong instead of failing", () => {
    const root = makeRepository();
    rmSync(join(root, ".git/info"), { recursive: true });
    writeFileSync(join(root, ".git/info"), "");
    expect(keepOutOfGit(makeSpec(specum, root))).toMatch(/\.git\/info cannot be used/);
  });

  it("writes nothing to the target of a .git file, unless git's own files are there", () => {
    const root = makeFolder();
    const other = join(root, "other");
    fillFolder(root, { "project/.git": "gitdir: ../other\n", "other/": "" });
    expect(keepOutOfGit(makeSpec(specum, join(root, "project")))).toBeUndefined();
    expect(readdirSync(other)).toEqual([]);
  });

  it("has nothing to do outside a repository", () => {
    const root = makeFolder();
    expect(keepOutOfGit(makeSpec(specum, root))).toBeUndefined();
  });
});

import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { GIT_ENV, makeRepository } from "../../test/support/repository.ts";
import { layTrap } from "../../test/support/trap.ts";
import { addWorktree, removeWorktree, switchToBranch } from "./branch.ts";
import { findPlace } from "./place.ts";
import { runGit } from "./run.ts";

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const topOf = (folder: string): string =>
  runGit(folder, ["rev-parse", "--show-toplevel"]).out.trimEnd();

describe("the repository given to git", () => {
  it("is the one around a folder, through links too", () => {
    const { root } = makeRepository();
    mkdirSync(join(root, "a/b"), { recursive: true });
    const link = join(makeFolder(), "link");
    symlinkSync(join(root, "a"), link);
    const env = { GIT_DIR: join(root, ".git"), GIT_WORK_TREE: root };
    expect(findPlace(join(root, "a/b"))).toEqual({ kind: "ok", folder: join(root, "a/b"), env });
    expect(findPlace(join(link, "b"))).toEqual({ kind: "ok", folder: join(root, "a/b"), env });
    expect(runGit(link, ["rev-parse", "--show-prefix"]).out).toBe("a/\n");
  });

  it("is a linked work tree, and a submodule", () => {
    const { home, root, git, commit } = makeRepository();
    commit({ a: "" });
    git("worktree", "add", "-q", join(home, "tree"), "-b", "side");
    expect(topOf(join(home, "tree"))).toBe(join(home, "tree"));
    expect(runGit(join(home, "tree"), ["symbolic-ref", "HEAD"]).out).toBe("refs/heads/side\n");
    const inner = makeRepository();
    inner.commit({ "sub/file": "" }, "inner");
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "module");
    expect(topOf(join(root, "module/sub"))).toBe(join(root, "module"));
    expect(runGit(join(root, "module"), ["log", "-1", "--format=%s"]).out).toBe("inner\n");
    expect(runGit(root, ["status", "--porcelain=v2"])).toMatchObject({ ok: true, err: "" });
  });

  it("stays bare if it is, and its work trees are not", () => {
    const { home, root, git, commit } = makeRepository();
    commit({ a: "" });
    const around = join(home, "around");
    mkdirSync(around);
    git("clone", "-q", "--bare", root, join(around, ".bare"));
    writeFileSync(join(around, ".git"), "gitdir: ./.bare\n");
    expect(runGit(around, ["status"]).err).toContain("must be run in a work tree");
    expect(switchToBranch(around, "new").kind).toBe("failed");
    const made = addWorktree(around, "feature", "tree");
    expect(made).toMatchObject({ kind: "ok", top: join(home, "around-tree") });
    expect(readdirSync(join(home, "around-tree"))).toEqual([".git", "a"]);
    expect(topOf(join(home, "around-tree"))).toBe(join(home, "around-tree"));
    expect(runGit(join(home, "around-tree"), ["status", "--porcelain"]).out).toBe("");
  });

  it("gets branches and work trees, and removes them again", () => {
    const { home, root, git, commit } = makeRepository();
    commit({ a: "" });
    expect(switchToBranch(root, "one")).toMatchObject({ kind: "ok" });
    expect(git("branch", "--show-current")).toBe("one");
    const made = addWorktree(root, "two", "two");
    const top = join(home, "repo-two");
    expect(made).toMatchObject({ kind: "ok", top });
    expect(runGit(top, ["symbolic-ref", "HEAD"]).out).toBe("refs/heads/two\n");
    removeWorktree(root, { branch: "two", top });
    expect(existsSync(top)).toBe(false);
    expect(git("branch", "--list", "two")).toBe("");
  });

  it.each([
    ["", undefined],
    ["gitdir:\n", undefined],
  ])("is not the folder that contains a .git file with %j", (text) => {
    const root = makeFolder();
    const marker = layTrap(root);
    writeFileSync(join(root, ".git"), text);
    expect(runGit(root, ["status"]).ok).toBe(false);
    expect(existsSync(marker)).toBe(false);
  });
});

describe.runIf(process.geteuid?.() === 0)("a repository of another user", () => {
  function makeForeign() {
    const repository = makeRepository();
    repository.commit({ "specs/demo/tasks.md": "" });
    const marker = layTrap(join(repository.root, "specs/demo"));
    execFileSync("chown", ["-R", "12345", repository.root]);
    vi.stubEnv("HOME", repository.home);
    return { ...repository, marker, folder: join(repository.root, "specs/demo") };
  }

  it("is left for git to judge: it is not used unless the user told git so", () => {
    const { root, home } = makeForeign();
    expect(runGit(root, ["status"])).toMatchObject({
      ok: false,
      err: expect.stringContaining("dubious ownership") as string,
    });
    writeFileSync(join(home, ".gitconfig"), `[safe]\n\tdirectory = ${root}\n`);
    expect(runGit(root, ["status"]).ok).toBe(true);
  });

  it("is not looked for from a folder that looks like one itself", () => {
    const { folder, home, marker } = makeForeign();
    writeFileSync(join(home, ".gitconfig"), "[safe]\n\tdirectory = *\n");
    expect(findPlace(folder)).toEqual({
      kind: "none",
      why: `fatal: not a git repository: ${folder} only looks like one`,
    });
    expect(runGit(folder, ["status"]).ok).toBe(false);
    expect(existsSync(marker)).toBe(false);
  });

  it("is not trusted because their file in our folder points to a repository of ours", () => {
    const { root } = makeRepository();
    const shared = makeFolder();
    writeFileSync(join(shared, ".git"), `gitdir: ${root}/.git\n`);
    expect(findPlace(shared)).toMatchObject({ env: { GIT_WORK_TREE: shared } });
    chownSync(join(shared, ".git"), 12345, 12345);
    expect(findPlace(shared)).toMatchObject({ env: {} });
  });
});

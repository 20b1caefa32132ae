import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { makeRepository, ODD_NAMES } from "../../test/support/repository.ts";
import { readChanges, readWorkTree } from "./working-tree.ts";

beforeEach(() => {
  vi.stubEnv("HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("readWorkTree", () => {
  it("reports the commit and which tracked files differ, whatever their names", () => {
    const { root, commit, write, git } = makeRepository();
    const head = commit(Object.fromEntries([...ODD_NAMES, "same"].map((name) => [name, "old"])));
    expect(readWorkTree(root)).toEqual({ head, branch: "main", dirty: [], untracked: [] });
    write(Object.fromEntries(ODD_NAMES.map((name) => [name, "new"])));
    write({ untracked: "" });
    expect([...(readWorkTree(root)?.dirty ?? [])].sort()).toEqual([...ODD_NAMES].sort());
    expect(readWorkTree(root)?.untracked).toEqual([]);
    expect(readWorkTree(root, { untracked: true })?.untracked).toEqual(["untracked"]);
    git("add", "-A");
    expect(readWorkTree(root)?.dirty).toHaveLength(ODD_NAMES.length + 1);
  });

  it("names files in conflict", () => {
    const { root, commit, git } = makeRepository();
    commit({ "a b": "1" });
    git("checkout", "-q", "-b", "side");
    commit({ "a b": "2" });
    git("checkout", "-q", "main");
    commit({ "a b": "3" });
    expect(() => git("merge", "side")).toThrow();
    expect(readWorkTree(root)?.dirty).toEqual(["a b"]);
  });

  it("is undefined before the first commit, and outside git", () => {
    expect(readWorkTree(makeRepository().root)).toBeUndefined();
    expect(readWorkTree(makeFolder())).toBeUndefined();
  });
});

describe("readChanges", () => {
  it("names what commits, the index and the working tree changed, and new files", () => {
    const { root, commit, write, git } = makeRepository();
    const since = commit({
      committed: "1",
      staged: "1",
      unstaged: "1",
      removed: "1",
      same: "1",
      back: "1",
      ".gitignore": "ignored\n",
    });
    commit({ committed: "2", back: "2", moved: "1" });
    write({ staged: "2" });
    git("add", "staged");
    write({ unstaged: "2", ignored: "", "new/file": "", back: "1" });
    rmSync(join(root, "removed"));
    expect(readChanges(root, since)).toEqual(
      ["committed", "moved", "new/file", "removed", "staged", "unstaged"].sort(),
    );
    expect(readChanges(root, since, { without: new Set(["moved", "removed"]) })).toEqual(
      ["committed", "new/file", "staged", "unstaged"].sort(),
    );
  });

  it.each(ODD_NAMES)("names %j, tracked or not", (name) => {
    const { root, commit, write } = makeRepository();
    const since = commit();
    write({ [name]: "new" });
    expect(readChanges(root, since)).toEqual([name]);
    commit();
    expect(readChanges(root, since)).toEqual([name]);
  });

  it("leaves out untracked files that were there before", async () => {
    const { root, commit, write } = makeRepository();
    const since = commit({ tracked: "1" });
    write({ old: "", touched: "" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const begun = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 50));
    write({ touched: "again", fresh: "", tracked: "2" });
    expect(readChanges(root, since, { begun })).toEqual(["fresh", "touched", "tracked"]);
  });

  it("gives names relative to the project, also below the top, through a link and in a linked work tree", () => {
    const { home, root, commit, git, write } = makeRepository();
    const since = commit({ "apps/api/a.ts": "1", "apps/web/b.ts": "1", top: "1" });
    write({ "apps/api/a.ts": "2", "apps/web/b.ts": "2", top: "2", "apps/api/new": "" });
    const expected = ["../../top", "../web/b.ts", "a.ts", "new"];
    expect(readChanges(join(root, "apps/api"), since)).toEqual(expected);
    symlinkSync(root, join(home, "link"));
    expect(readChanges(join(home, "link/apps/api"), since)).toEqual(expected);
    git("worktree", "add", "-q", join(home, "tree"), "-b", "side");
    expect(readChanges(realpathSync(join(home, "tree")), since)).toEqual([]);
  });

  it("works without a branch", () => {
    const { root, commit, git } = makeRepository();
    const since = commit();
    git("checkout", "-q", "--detach");
    commit({ a: "" });
    expect(readChanges(root, since)).toEqual(["a"]);
  });

  it.each(["", "HEAD", "--output=x", "refs/heads/main 1.2 -", "0".repeat(40)])(
    "is undefined since %j",
    (since) => {
      const { root, commit } = makeRepository();
      commit();
      expect(readChanges(root, since)).toBeUndefined();
    },
  );

  it("is undefined outside git", () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "x"));
    expect(readChanges(join(folder, "x"), "0".repeat(40))).toBeUndefined();
  });
});

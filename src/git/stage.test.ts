import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { makeRepository } from "../../test/support/repository.ts";
import { specIn } from "../../test/support/trees.ts";
import { findGit, type GitDirs } from "../store/git-files.ts";
import { keepWork, setAside } from "./aside.ts";
import { listCheckpoints, writeCheckpoint, writeWorkTree } from "./checkpoint.ts";
import { commitPaths, listDirty } from "./commit-paths.ts";
import { keepTree } from "./keep-all.ts";
import { findRepository, type Repository } from "./repository.ts";
import { readChangesSince } from "./reset-to-checkpoint.ts";
import { findSubmoduleWork } from "./submodule-work.ts";
import { readChanges, readWorkTree } from "./working-tree.ts";

beforeEach(() => {
  vi.stubEnv("HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const AS = ["-c", "user.name=a", "-c", "user.email=a@b"];

/** A submodule whose settings run a command as soon as git compares its files. */
function makeTrap() {
  const repository = makeRepository();
  const { root, git, commit, write } = repository;
  const first = commit({ "a.txt": "a\n", "specs/demo/tasks.md": "- [ ] 1.1 one\n" });
  const sub = join(root, "sub");
  const mark = join(makeFolder(), "mark");
  mkdirSync(sub);
  const inSub = (...args: string[]): string => git("-C", sub, ...args);
  inSub("init", "-q");
  writeFileSync(join(sub, "f"), "data\n");
  writeFileSync(join(sub, ".gitattributes"), "f filter=z\n");
  inSub("add", "-A");
  inSub(...AS, "commit", "-qm", "s");
  inSub("config", "filter.z.clean", `echo hit >> '${mark}'; cat`);
  write({ ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' });
  git("add", ".gitmodules", "sub");
  git("commit", "-qm", "sub");
  utimesSync(join(sub, "f"), 1, 1);
  const isSprung = (): boolean => existsSync(mark);
  return { ...repository, first, inSub, isSprung, dirs: findGit(root) as GitDirs };
}

describe("a submodule with its own settings", () => {
  it("is a trap, unless git is told to stay out", () => {
    const { git, isSprung } = makeTrap();
    git("status");
    expect(isSprung()).toBe(true);
  });

  it("is not looked into, whatever we ask or keep", () => {
    const { root, write, first, dirs, isSprung } = makeTrap();
    const spec = specIn(root);
    writeCheckpoint(spec, "1.1", 1);
    write({ "a.txt": "b\n", "new.txt": "new\n" });
    readWorkTree(root, { untracked: true });
    readChanges(root, first);
    listDirty(root);
    writeWorkTree(dirs, first);
    keepWork(dirs, first, "1.1");
    keepTree(dirs, "1.1", { heads: [first] });
    findSubmoduleWork(dirs, () => false);
    const [checkpoint] = listCheckpoints(spec);
    if (checkpoint === undefined) throw new Error("no checkpoint");
    readChangesSince(findRepository(spec) as Repository, checkpoint);
    expect(commitPaths(root, ["a.txt", "new.txt", "sub"], "all")).toBeUndefined();
    expect(setAside(spec, checkpoint).kind).toBe("kept");
    expect(isSprung()).toBe(false);
  });

  it("is staged at its new commit, with the files next to it", () => {
    const { root, git, write, inSub, dirs } = makeTrap();
    const head = git("rev-parse", "HEAD").trim();
    write({ "a.txt": "b\n", "new.txt": "new\n" });
    inSub(...AS, "commit", "-q", "--allow-empty", "-m", "next");
    const next = inSub("rev-parse", "HEAD").trim();
    const kept = keepWork(dirs, head, "1.1") ?? "";
    const names = ["a.txt", "new.txt", "sub"];
    expect(git("diff", "--name-only", head, kept).trim().split("\n")).toEqual(names);
    expect(git("rev-parse", `${kept}:sub`).trim()).toBe(next);
    expect(listDirty(root).sort()).toEqual(names);
    expect(commitPaths(root, names, "all")).toBeUndefined();
    expect(git("rev-parse", "HEAD:sub").trim()).toBe(next);
    expect(listDirty(root)).toEqual([]);
  });

  it("is never added", () => {
    const { root, git, inSub } = makeTrap();
    git("rm", "-q", "--cached", "sub");
    git("commit", "-qm", "without");
    inSub("rev-parse", "HEAD");
    expect(listDirty(root)).toEqual(["sub/"]);
    expect(commitPaths(root, ["sub/"], "all")).toBe("fatal: sub/ is a separate repository");
  });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PATH } from "../../test/program/child.ts";
import { makeFolder } from "../../test/program/temporary.ts";
import { barGit, findGit, listUnpinned, pinTop, readHead } from "./git-files.ts";

function makeRepository() {
  const home = makeFolder();
  const root = join(home, "repo");
  mkdirSync(root);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: root,
      env: { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  git("init", "-q", "-b", "main");
  const commit = (): string => {
    git("commit", "-q", "--allow-empty", "-m", "change");
    return git("rev-parse", "HEAD");
  };
  return { home, root, git, commit, head: (from = root) => readHead(findGit(from)) };
}

describe("readHead agrees with git", () => {
  it("on a branch", () => {
    const { head, commit } = makeRepository();
    expect(head()).not.toBe("");
    expect([commit(), commit()].at(-1)).toBe(head());
  });

  it("on a branch with a slash in its name, from a subfolder", () => {
    const { root, git, head, commit } = makeRepository();
    git("checkout", "-q", "-b", "feature/one");
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(commit()).toBe(head(join(root, "a/b")));
  });

  it("without a branch", () => {
    const { git, head, commit } = makeRepository();
    commit();
    git("checkout", "-q", "--detach");
    expect(commit()).toBe(head());
  });

  it("in a linked work tree, separately from the main one", () => {
    const { home, git, head, commit } = makeRepository();
    const before = commit();
    git("worktree", "add", "-q", join(home, "tree"), "-b", "side");
    expect(commit()).toBe(head());
    expect(head(join(home, "tree"))).toBe(before);
    expect(findGit(join(home, "tree"))).toMatchObject({ top: join(home, "tree") });
    expect(findGit(join(home, "tree"))?.common).toBe(findGit(join(home, "repo"))?.own);
  });
});

describe("findGit", () => {
  it("skips an empty .git folder", () => {
    const { home, root } = makeRepository();
    mkdirSync(join(root, "a/b/.git/info"), { recursive: true });
    expect(findGit(join(root, "a/b"))).toMatchObject({ top: root });
    mkdirSync(join(home, ".git"));
    expect(findGit(home)).toBeUndefined();
  });

  it("never mistakes a folder for a repository because of its contents", () => {
    const { root, git } = makeRepository();
    git("init", "-q", "--bare", join(root, "specs/demo"));
    expect(findGit(join(root, "specs/demo"))).toMatchObject({ top: root, own: join(root, ".git") });
  });
});

describe("readHead", () => {
  it("changes when the packed refs do, and only then", () => {
    const { git, head, commit } = makeRepository();
    commit();
    git("pack-refs", "--all");
    const packed = head();
    expect(packed).toMatch(/^refs\/heads\/main /);
    expect(head()).toBe(packed);
    const next = commit();
    expect(head()).toBe(next);
    git("pack-refs", "--all", "--prune");
    expect(head()).not.toBe(packed);
  });

  it("is empty outside a repository", () => {
    expect(readHead(undefined)).toBe("");
    expect(readHead(findGit("/"))).toBe("");
  });

  it.each(["a folder", "a loop of links", "garbage", "nothing"])("survives %s as HEAD", (kind) => {
    const { root, head } = makeRepository();
    const path = join(root, ".git/HEAD");
    rmSync(path);
    if (kind === "a folder") mkdirSync(path);
    if (kind === "a loop of links") symlinkSync("HEAD", path);
    if (kind === "garbage") writeFileSync(path, Buffer.alloc(100_000, 0xff));
    expect(head()).toBe("");
  });

  it("stays short whatever HEAD contains: it is in every line of the journal", () => {
    const { root, head } = makeRepository();
    writeFileSync(join(root, ".git/HEAD"), "x".repeat(60_000));
    expect(head().length).toBeLessThan(500);
    writeFileSync(join(root, ".git/HEAD"), `ref: refs/heads/${"x".repeat(60_000)}`);
    expect(head().length).toBeLessThan(500);
  });

  it.each(["", "gitdir: /nonexistent\n", "nonsense"])("survives a .git file with %j", (text) => {
    const { root, head } = makeRepository();
    rmSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, ".git"), text);
    expect(head()).toBe("");
  });
});

describe("a pinned repository", () => {
  const plant = (folder: string): void => {
    mkdirSync(join(folder, ".git"), { recursive: true });
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
  };

  it("counts no repository that appears below a pinned one", () => {
    const { root, home } = makeRepository();
    const link = join(home, "link");
    symlinkSync(root, link);
    pinTop(link);
    plant(join(root, "specs"));
    mkdirSync(join(root, "packages/app"), { recursive: true });
    writeFileSync(join(root, "packages/app/.git"), "gitdir: ../../specs/.git\n");
    mkdirSync(join(root, "specs/demo"));
    expect(findGit(join(root, "specs/demo"))?.top).toBe(root);
    expect(findGit(join(root, "packages/app"))?.top).toBe(root);
    expect(findGit(join(link, "specs"))?.top).toBe(link);
    expect(listUnpinned(join(root, "specs/demo"))).toEqual([join(root, "specs")]);
    rmSync(join(root, ".git"), { recursive: true });
    expect(findGit(join(root, "specs/demo"))).toBeUndefined();
  });

  it("leaves alone what was pinned in it, and what is elsewhere", () => {
    const { root } = makeRepository();
    plant(join(root, "specs"));
    pinTop(join(root, "specs"));
    pinTop(root);
    const other = makeRepository().root;
    expect(findGit(join(root, "specs"))?.top).toBe(join(root, "specs"));
    expect(listUnpinned(join(root, "specs"))).toEqual([]);
    expect(findGit(other)?.top).toBe(other);
  });

  it("is none where there was none", () => {
    const root = makeFolder();
    barGit(root);
    plant(root);
    plant(join(root, "specs"));
    expect(findGit(join(root, "specs"))).toBeUndefined();
  });
});

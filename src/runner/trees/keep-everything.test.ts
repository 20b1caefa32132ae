import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AT,
  commitIn,
  gitIn,
  type Ground,
  makeGround,
  refusalOf,
  runOne,
} from "../../../test/support/trees.ts";
import { planDiscard } from "./discard.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Everything that any ref has: the texts of a file in all commits. */
function textsOf({ repository }: Ground, name: string): string[] {
  const commits = repository.git("log", "--all", "-m", "--format=%H").split("\n");
  const has = (commit: string): boolean =>
    repository.git("ls-tree", "--name-only", commit, name) === name;
  return [...new Set(commits)].filter(has).map((one) => repository.git("show", `${one}:${name}`));
}

const WAYS: Readonly<Record<string, (trunk: Trunk) => readonly string[]>> = {
  take: (trunk) => takeTrunk(trunk.home, false).notes,
  run: (trunk) => {
    const again = openTrunk(trunk.home, AT);
    closeTrunk(again);
    return again.notes;
  },
  discard: (trunk) => {
    const plan = planDiscard(trunk.home, AT);
    plan.carryOut();
    return [plan.ref ?? ""];
  },
};

const conflict = (top: string): void => {
  gitIn(top, "branch", "other");
  commitIn(top, { "a.txt": "mine\n" }, "mine");
  const mine = gitIn(top, "symbolic-ref", "--short", "HEAD");
  gitIn(top, "switch", "-q", "other");
  commitIn(top, { "a.txt": "theirs\n" }, "theirs");
  gitIn(top, "switch", "-q", mine);
  expect(() => gitIn(top, "merge", "-q", "other")).toThrow();
};

describe("an open merge or rebase is kept before it is aborted", () => {
  it.each(Object.keys(WAYS))("%s: a resolved file", (way) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    conflict(trunk.top);
    writeFileSync(join(trunk.top, "a.txt"), "RESOLVED\n");
    gitIn(trunk.top, "add", "a.txt");
    writeFileSync(join(trunk.top, "a.txt"), "LATER\n");
    expect(WAYS[way]?.(trunk).join()).toContain("refs/smart-ralph/");
    expect(textsOf(ground, "a.txt")).toEqual(expect.arrayContaining(["RESOLVED", "LATER"]));
  });

  it.each(Object.keys(WAYS))("%s: commits, edits and the autostash", (way) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    commitIn(trunk.top, { "two.txt": "2\n" }, "two");
    writeFileSync(join(trunk.top, "two.txt"), "STASHED\n");
    expect(() =>
      gitIn(trunk.top, "rebase", "-q", "--autostash", "-x", "false", "HEAD~1"),
    ).toThrow();
    commitIn(trunk.top, { "during.txt": "DURING\n" }, "during");
    writeFileSync(join(trunk.top, "edit.txt"), "EDIT\n");
    WAYS[way]?.(trunk);
    expect(textsOf(ground, "during.txt")).toContain("DURING");
    expect(textsOf(ground, "edit.txt")).toContain("EDIT");
    expect(textsOf(ground, "two.txt")).toContain("STASHED");
  });

  it("take: in the tree of a task", () => {
    const ground = makeGround();
    const { top } = openTaskTree(runOne(ground), "1.2", 1);
    conflict(top);
    writeFileSync(join(top, "a.txt"), "RESOLVED\n");
    takeTrunk(ground.home, false);
    expect(textsOf(ground, "a.txt")).toContain("RESOLVED");
  });
});

describe("a tree that take left is kept whatever is checked out in it", () => {
  const moves: [string, string[]][] = [
    ["detached", ["checkout", "-q", "--detach"]],
    ["on another branch", ["switch", "-q", "-c", "mywork"]],
  ];
  it.each(moves.flatMap(([name, args]) => ["take", "run"].map((way) => ({ name, args, way }))))(
    "$way: $name",
    ({ args, way }) => {
      const ground = makeGround();
      const trunk = runOne(ground);
      takeTrunk(ground.home, true);
      gitIn(trunk.top, ...args);
      commitIn(trunk.top, { "p.txt": "p\n" }, "p");
      writeFileSync(join(trunk.top, "u.txt"), "u\n");
      expect(WAYS[way]?.(trunk).join()).toContain("refs/smart-ralph/aside/demo/take/1");
      expect(textsOf(ground, "p.txt")).toContain("p");
      expect(textsOf(ground, "u.txt")).toContain("u");
    },
  );

  it.each(["take", "run"])("%s: a commit alone, without a branch", (way) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    takeTrunk(ground.home, true);
    gitIn(trunk.top, "checkout", "-q", "--detach");
    gitIn(trunk.top, "add", "-A");
    commitIn(trunk.top, { "p.txt": "p\n" }, "p");
    WAYS[way]?.(trunk);
    expect(textsOf(ground, "p.txt")).toContain("p");
  });

  it.each(["take", "run"])("%s: a file, on a branch without a commit", (way) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    takeTrunk(ground.home, true);
    gitIn(trunk.top, "checkout", "-q", "--orphan", "empty");
    writeFileSync(join(trunk.top, "u.txt"), "u\n");
    WAYS[way]?.(trunk);
    expect(textsOf(ground, "u.txt")).toContain("u");
  });

  it.each(["take", "run"])("%s: another repository's is left alone", (way) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    takeTrunk(ground.home, true);
    writeFileSync(join(trunk.top, ".git"), "gitdir: /nowhere\n");
    expect(refusalOf(() => WAYS[way]?.(trunk)).message).toContain("not a work tree");
    expect(existsSync(join(trunk.top, "one.txt"))).toBe(true);
  });
});

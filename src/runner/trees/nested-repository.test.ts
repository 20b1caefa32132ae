import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeRepository } from "../../../test/support/repository.ts";
import { AT, commitIn, gitIn, makeGround, refusalOf, runOne } from "../../../test/support/trees.ts";
import { planDiscard } from "./discard.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const WAYS = {
  take: (trunk: Trunk) => void takeTrunk(trunk.home, false),
  discard: (trunk: Trunk) => planDiscard(trunk.home, AT).carryOut(),
} as const;
const ways = ["take", "discard"] as const;

const makeRun = (): Trunk =>
  runOne(makeGround({ "src/a.txt": "a\n", ".gitignore": "build/\n.swiftpm\n" }));

/** With a commit that is nowhere else. */
function makeNested(folder: string): void {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, "init", "-q");
  commitIn(folder, { "n.txt": "n" }, "n");
}

describe("a repository inside the run's tree is not removed with it", () => {
  const places = ["lib", "src", "src/deep/er", "build/x", "build"];
  it.each(places.flatMap((place) => ways.map((way) => ({ place, way }))))(
    "$way: in $place",
    ({ place, way }) => {
      const trunk = makeRun();
      const own = join(trunk.top, place);
      makeNested(own);
      const { message } = refusalOf(() => WAYS[way](trunk));
      expect(message).toContain(`${place} in ${trunk.top} is a repository of its own`);
      expect(existsSync(join(own, ".git", "HEAD"))).toBe(true);
    },
  );

  it.each(ways)("%s: in the tree of a task", (way) => {
    const trunk = makeRun();
    const { top } = openTaskTree(trunk, "1.2", 1);
    makeNested(join(top, "src"));
    expect(refusalOf(() => WAYS[way](trunk)).message).toContain(`src in ${top}`);
    expect(existsSync(join(top, "src", ".git"))).toBe(true);
  });
});

describe("what a package manager cloned into an ignored folder", () => {
  function cloneInto(trunk: Trunk): string {
    const remote = makeRepository();
    remote.commit({ "r.txt": "r" });
    const clone = join(trunk.top, ".swiftpm", "checkouts", "r");
    gitIn(trunk.top, "clone", "-q", remote.root, clone);
    return clone;
  }

  it.each(ways)("%s: is in nobody's way", (way) => {
    const trunk = makeRun();
    cloneInto(trunk);
    WAYS[way](trunk);
    expect(existsSync(trunk.top)).toBe(false);
  });

  it.each<[string, (clone: string) => void]>([
    ["an edit", (clone) => writeFileSync(join(clone, "r.txt"), "mine")],
    ["a commit", (clone) => void commitIn(clone, { "c.txt": "c" }, "c")],
    [
      "a stash",
      (clone) => {
        writeFileSync(join(clone, "r.txt"), "mine");
        gitIn(clone, "stash", "-q");
      },
    ],
  ])("stays with %s in it", (_, work) => {
    const trunk = makeRun();
    const clone = cloneInto(trunk);
    work(clone);
    for (const way of ways) expect(refusalOf(() => WAYS[way](trunk)).message).toContain("/r in ");
    expect(existsSync(clone)).toBe(true);
  });

  it("is no repository without a HEAD", () => {
    const trunk = makeRun();
    mkdirSync(join(trunk.top, "build", "fixture", ".git"), { recursive: true });
    takeTrunk(trunk.home, false);
    expect(existsSync(trunk.top)).toBe(false);
  });
});

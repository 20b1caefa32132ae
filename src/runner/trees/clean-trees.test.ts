import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AT,
  commitIn,
  makeGround,
  runOne,
  specIn,
  startedOf,
} from "../../../test/support/trees.ts";
import {
  listTrunks,
  readTrunkRecord,
  type TrunkRecord,
  writeTrunkRecord,
} from "../../engine/trunk-record.ts";
import { listAside } from "../../git/aside.ts";
import { cleanTrees } from "./clean-trees.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("cleanTrees", () => {
  it("removes task trees of ended runs and leftovers of killed processes, and keeps their work", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const tree = openTaskTree(trunk, "1.2", 1);
    commitIn(tree.top, { "two.txt": "2" }, "two");
    const all = dirname(trunk.top);
    mkdirSync(join(all, "sharing.999999999.demo"));
    ground.repository.git("worktree", "add", "-q", "--detach", join(all, "taking.999999999"));
    expect(cleanTrees(ground.home.project)).toEqual({ tasks: 1, trunks: 0, untaken: [] });
    expect(readdirSync(all)).toEqual(["demo", "demo.json"]);
    expect(listAside(ground.home)).toMatchObject([{ task: "1.2" }]);
    expect(ground.repository.git("worktree", "list", "--porcelain")).not.toContain("taking");
  });

  it("leaves the task trees of an active run", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const tree = openTaskTree(trunk, "1.2", 1);
    const record = readTrunkRecord(trunk.place) as TrunkRecord;
    writeTrunkRecord(trunk.place, {
      ...record,
      pid: process.ppid,
      started: startedOf(process.ppid),
    });
    expect(cleanTrees(ground.home.project).tasks).toBe(0);
    expect(existsSync(tree.top)).toBe(true);
  });

  it("bounds the number of taken trees, removes the oldest first, and never removes untaken work", () => {
    const ground = makeGround();
    const { repository, home } = ground;
    const open = (name: string, at: string) => {
      const trunk = openTrunk(specIn(repository.root, name), at);
      commitIn(trunk.top, { [`${name}.txt`]: name }, name);
      closeTrunk(trunk);
      return trunk;
    };
    const first = open("first", "2026-01-01T00:00:00.000Z");
    takeTrunk(first.home, true);
    const second = open("second", "2026-01-02T00:00:00.000Z");
    takeTrunk(second.home, true);
    const third = open("third", AT);
    writeFileSync(join(first.top, "left.txt"), "uncommitted");
    expect(cleanTrees(home.project, 3)).toMatchObject({ trunks: 0 });
    expect(cleanTrees(home.project, 2)).toMatchObject({ trunks: 1, untaken: [] });
    expect(existsSync(first.top)).toBe(false);
    expect(listAside(first.home)).toHaveLength(1);
    expect(existsSync(second.top)).toBe(true);
    expect(cleanTrees(home.project, 0)).toMatchObject({ trunks: 1, untaken: ["third"] });
    expect(existsSync(third.top)).toBe(true);
    expect(listTrunks(repository.root)).toHaveLength(1);
    expect(repository.git("branch", "--list", "smart-ralph/*")).toContain("third");
  });
});

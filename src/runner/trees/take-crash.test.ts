import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AT,
  commitIn,
  expectNothingLeft,
  type Ground,
  makeGround,
  refusalOf,
  runOne,
  TICKED,
  TREE_TASKS,
} from "../../../test/support/trees.ts";
import { readTrunkRecord, type TrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { whoseRun } from "../../run/trust.ts";
import { readDisk } from "../../store/spec-files.ts";
import { openTrunk } from "./open-trunk.ts";
import { takeTrunk } from "./take.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("take after a crash", () => {
  it.each<[string, (ground: Ground, trunk: Trunk) => void]>([
    ["before the branch moved", () => {}],
    [
      "with the spec's files out of the way",
      ({ repository }) => void repository.git("checkout", "-q", "HEAD", "--", "specs"),
    ],
    ["with half of the files there", ({ repository }) => repository.write({ "one.txt": "1\n" })],
    ["with a file that git had only made", ({ repository }) => repository.write({ "one.txt": "" })],
    [
      "after the branch moved",
      ({ repository }, { branch }) => {
        repository.git("stash", "-q");
        repository.git("merge", "-q", "--ff-only", branch);
      },
    ],
  ])("%s", (_, how) => {
    const ground = makeGround();
    writeFileSync(ground.home.tasks, `${TREE_TASKS}\n`);
    const trunk = runOne(ground);
    commitIn(trunk.top, { "specs/demo/tasks.md": TICKED }, "the list");
    writeFileSync(trunk.spec.tasks, `${TICKED}\nand more\n`);
    const record = readTrunkRecord(trunk.place) as TrunkRecord;
    writeTrunkRecord(trunk.place, { ...record, stage: "taking" });
    how(ground, trunk);
    expect(refusalOf(() => openTrunk(ground.home, AT)).fix).toContain("take again finishes");
    takeTrunk(ground.home, false);
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(`${TICKED}\nand more\n`);
    expect(ground.repository.read("one.txt")).toBe("1\n");
    expect(whoseRun(readDisk(ground.home), "x")).toBe("ours");
    expectNothingLeft(ground, trunk);
  });

  it.each<[string, (trunk: Trunk, ground: Ground) => void]>([
    ["with half of the tree removed", ({ spec }) => rmSync(spec.folder, { recursive: true })],
    ["with the tree removed", ({ top }) => rmSync(top, { recursive: true })],
    [
      "with the branch removed",
      ({ top, branch }, { repository }) => {
        repository.git("worktree", "remove", "--force", top);
        repository.git("branch", "-D", branch);
      },
    ],
  ])("while it cleaned up, %s", (_, how) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    takeTrunk(ground.home, true);
    how(trunk, ground);
    takeTrunk(ground.home, false);
    expect(existsSync(ground.home.state)).toBe(true);
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(TICKED);
    expectNothingLeft(ground, trunk);
  });
});

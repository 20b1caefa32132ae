import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { AT, commitIn, headOf, makeGround, runOne } from "../../../test/support/trees.ts";
import { readTrunkRecord, type TrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { writeCheckpoint } from "../../git/checkpoint.ts";
import { headOf as commitAt } from "../../git/own-tree.ts";
import { formatEntry } from "../../run/journal-lines.ts";
import { readOpenEntry } from "../../store/spec-files.ts";
import { appendToVault } from "../../store/vault.ts";
import { takeTrunk } from "./take.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** As a run leaves it that is killed while an agent works on 1.2. */
function handOut({ spec }: Trunk): void {
  writeCheckpoint(spec, "1.2", 1);
  const last = readOpenEntry(spec);
  if (last === undefined) throw new Error("no run");
  const loop = { ...last.loop, out: { call: "1.2" } };
  appendToVault(spec, formatEntry({ ...last, at: AT, loop }));
}

it.each([false, true])(
  "commits of a killed attempt are not taken but kept (--keep: %s)",
  (keeps) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const proven = commitAt(trunk.top);
    handOut(trunk);
    commitIn(trunk.top, { "broken.txt": "BROKEN\n" }, "half done");
    writeFileSync(join(trunk.top, "u.txt"), "u\n");
    const { commit, commits, notes } = takeTrunk(ground.home, keeps);
    expect({ commit, commits }).toEqual({ commit: proven, commits: 1 });
    expect(headOf(ground)).toBe(proven);
    const ref = "refs/smart-ralph/aside/demo/1.2/1";
    expect(notes).toEqual([`Unfinished work was not taken; it is kept at ${ref}.`]);
    const { git } = ground.repository;
    expect(git("ls-tree", "--name-only", ref, "broken.txt", "u.txt")).toBe("broken.txt\nu.txt");
    expect(existsSync(join(ground.repository.root, "broken.txt"))).toBe(false);
  },
);

it("nor is a merge that a killed run did not get to verify", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const before = commitAt(trunk.top) as string;
  const record = readTrunkRecord(trunk.place) as TrunkRecord;
  writeTrunkRecord(trunk.place, { ...record, merging: { task: "1.2", before } });
  commitIn(trunk.top, { "two.txt": "2\n" }, "two");
  writeFileSync(join(trunk.top, "a.txt"), "edited\n");
  const { commit, notes } = takeTrunk(ground.home, false);
  expect(commit).toBe(before);
  const ref = "refs/smart-ralph/aside/demo/merge/1";
  expect(notes.join()).toContain(ref);
  expect(ground.repository.git("show", `${ref}:two.txt`, `${ref}:a.txt`)).toBe("2\nedited");
});

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

function removeAllBut(folder: string, kept: string): void {
  for (const name of readdirSync(folder))
    if (name !== kept) rmSync(join(folder, name), { recursive: true });
}

describe("take after a crash", () => {
  it.each<[string, (ground: Ground, trunk: Trunk) => void]>([
    ["before the branch moved", () => {}],
    [
      "with the spec's files out of the way",
      ({ repository }) => void repository.git("checkout", "-q", "HEAD", "--", "specs"),
    ],
    ["with half of the files there", ({ repository }) => repository.write({ "one.txt": "1\n" })],
    ["with a file that git had only made", ({ repository }) => repository.write({ "one.txt": "" })],
    ["with half of a file", ({ repository }) => repository.write({ "one.txt": "1" })],
    ["with a file gone", ({ repository }) => rmSync(join(repository.root, "a.txt"))],
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
    commitIn(trunk.top, { "specs/demo/tasks.md": TICKED, "a.txt": "changed\n" }, "the list");
    writeFileSync(trunk.spec.tasks, `${TICKED}\nand more\n`);
    const record = readTrunkRecord(trunk.place) as TrunkRecord;
    writeTrunkRecord(trunk.place, { ...record, stage: "taking" });
    how(ground, trunk);
    expect(refusalOf(() => openTrunk(ground.home, AT)).fix).toContain("take again finishes");
    takeTrunk(ground.home, false);
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(`${TICKED}\nand more\n`);
    expect(ground.repository.read("one.txt")).toBe("1\n");
    expect(ground.repository.read("a.txt")).toBe("changed\n");
    expect(whoseRun(readDisk(ground.home), "x")).toBe("ours");
    expectNothingLeft(ground, trunk);
  });

  it.each<[string, (trunk: Trunk, ground: Ground) => void]>([
    ["with half of the tree removed", ({ spec }) => rmSync(spec.folder, { recursive: true })],
    ["with all but its .git removed", ({ top }) => removeAllBut(top, ".git")],
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

  it("does not mistake the user's edit for half of a file", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const record = readTrunkRecord(trunk.place) as TrunkRecord;
    writeTrunkRecord(trunk.place, { ...record, stage: "taking" });
    ground.repository.write({ "one.txt": "mine\n" });
    expect(refusalOf(() => takeTrunk(ground.home, false)).message).toContain("one.txt");
    expect(ground.repository.read("one.txt")).toBe("mine\n");
  });
});

it("a git that fails halfway leaves the user's tree as it was, staged and unstaged", () => {
  const ground = makeGround({ "b.txt": "b\n", "gone.txt": "gone\n" });
  const { repository, home } = ground;
  const trunk = runOne(ground);
  rmSync(join(trunk.top, "gone.txt"));
  const files = { "a.txt": "new\n", "c.txt": "c\n", "z.txt": "z\n" };
  commitIn(trunk.top, { ...files, ".gitattributes": "z.txt filter=full\n" }, "more");
  // As if the disk were full when it gets to the last file.
  repository.git("config", "filter.full.smudge", "false");
  repository.git("config", "filter.full.clean", "cat");
  repository.git("config", "filter.full.required", "true");
  repository.write({ "b.txt": "unstaged\n", "new.txt": "staged\n" });
  repository.git("add", "new.txt");
  writeFileSync(home.tasks, `${TREE_TASKS}\n`);
  const look = () => [
    repository.git("status", "--porcelain"),
    repository.git("rev-parse", "HEAD"),
    ...["a.txt", "b.txt", "gone.txt"].map(repository.read),
    readFileSync(home.tasks, "utf8"),
  ];
  writeFileSync(trunk.spec.tasks, `${TREE_TASKS}\n`);
  const before = look();
  const { message, fix } = refusalOf(() => takeTrunk(home, false));
  expect(message).toContain("git refused");
  expect(fix).toBe("nothing has changed");
  expect(look()).toEqual(before);
  repository.git("config", "filter.full.smudge", "cat");
  takeTrunk(home, false);
  expect(repository.read("z.txt")).toBe("z\n");
});

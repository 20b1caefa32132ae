import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AT,
  commitIn,
  expectNothingLeft,
  gitIn,
  type Ground,
  headOf,
  makeGround,
  refusalOf,
  runOne,
  specIn,
  startedOf,
  TICKED,
  TREE_TASKS,
} from "../../../test/support/trees.ts";
import { listHomes } from "../../engine/run-trees.ts";
import { readTrunkRecord, type TrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { listAside } from "../../git/aside.ts";
import { listCheckpoints } from "../../git/checkpoint.ts";
import { whoseRun } from "../../run/trust.ts";
import { readDisk, readState } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("take", () => {
  it("moves the user's branch forward, and brings the run home", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const { repository, home } = ground;
    const verified = gitIn(trunk.top, "rev-parse", "HEAD");
    const taken = takeTrunk(home, false);
    expect(taken).toMatchObject({
      into: "main",
      how: "fast-forward",
      commit: verified,
      commits: 1,
      counts: { done: 1, total: 2 },
      notes: [],
    });
    expect(headOf(ground)).toBe(verified);
    expect(repository.git("status", "--porcelain")).toBe(
      " M specs/demo/tasks.md\n?? specs/demo/.inbox.jsonl\n?? specs/demo/.progress.md",
    );
    expect(readFileSync(home.tasks, "utf8")).toBe(TICKED);
    expect(readFileSync(home.progress, "utf8")).toContain("what was learned");
    expect(whoseRun(readDisk(home), "x")).toBe("ours");
    expect(readState(home)).not.toMatchObject({ state: { paused: true } });
    expect(listCheckpoints(home)).toMatchObject([{ task: "1.1", branch: "main" }]);
    expectNothingLeft(ground, trunk);
    expect(refusalOf(() => takeTrunk(home, false)).message).toContain("has a branch to take");
    expect(openTrunk(home, AT).isNew).toBe(true);
  });

  it("removes what the run has removed: the state of a finished spec, notes that were taken over", () => {
    const ground = makeGround();
    writeFileSync(join(ground.home.folder, ".progress-task-1.1.md"), "x");
    const trunk = runOne(ground);
    rmSync(trunk.spec.state);
    rmSync(join(trunk.spec.folder, ".progress-task-1.1.md"));
    takeTrunk(ground.home, false);
    expect(existsSync(ground.home.state)).toBe(false);
    expect(existsSync(join(ground.home.folder, ".progress-task-1.1.md"))).toBe(false);
  });

  it("takes documents that the user had not committed, and those of a spec that they do not have", () => {
    const ground = makeGround();
    ground.repository.write({ "specs/demo/design.md": "uncommitted\n" });
    writeFileSync(ground.home.tasks, `${TREE_TASKS}\n`);
    const trunk = runOne(ground);
    commitIn(trunk.top, { "specs/demo/tasks.md": TICKED }, "the list");
    expect(takeTrunk(ground.home, false).how).toBe("fast-forward");
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(TICKED);
    expect(ground.repository.git("status", "--porcelain")).toBe("");

    const fresh = openTrunk(specIn(ground.repository.root, "fresh"), AT);
    commitIn(fresh.top, { "specs/fresh/tasks.md": TICKED, "f.txt": "f" }, "f");
    mkdirSync(fresh.spec.folder, { recursive: true });
    writeFileSync(fresh.spec.state, "{}");
    closeTrunk(fresh);
    const [home] = listHomes(ground.home.project);
    expect(takeTrunk(home as Spec, false)).toMatchObject({
      counts: { done: 1, total: 2 },
    });
    expect(existsSync(fresh.home.state)).toBe(true);
  });

  it("brings a spec that git ignores", () => {
    const ground = makeGround({ ".gitignore": "specs\n" });
    runOne(ground);
    takeTrunk(ground.home, false);
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(TICKED);
    expect(ground.repository.git("status", "--porcelain")).toBe("");
  });

  it("merges if the user's branch has moved on", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    ground.repository.commit({ "mine.txt": "m" }, "mine");
    expect(takeTrunk(ground.home, false)).toMatchObject({ how: "merge", commits: 1 });
    expect(ground.repository.git("log", "-1", "--format=%s %an")).toBe(
      "Merge branch 'smart-ralph/demo' Smart Ralph",
    );
    expect(ground.repository.read("one.txt")).toBe("1\n");
    expect(ground.repository.read("mine.txt")).toBe("m");
    expectNothingLeft(ground, trunk);
  });

  it("brings the rest if the user has merged by hand", () => {
    const ground = makeGround();
    runOne(ground);
    ground.repository.git("merge", "-q", "smart-ralph/demo");
    expect(takeTrunk(ground.home, false).how).toBe("nothing");
    expect(readFileSync(ground.home.tasks, "utf8")).toBe(TICKED);
  });

  it("leaves unrelated changes alone", () => {
    const ground = makeGround({ "b.txt": "b\n" });
    runOne(ground);
    ground.repository.write({ "b.txt": "mine\n", "new.txt": "mine\n" });
    takeTrunk(ground.home, false);
    expect(ground.repository.read("b.txt")).toBe("mine\n");
    expect(ground.repository.read("new.txt")).toBe("mine\n");
  });

  it("keeps the branch and the tree if asked to, and goes on there", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    takeTrunk(ground.home, true);
    expect(existsSync(trunk.top)).toBe(true);
    ground.repository.commit({ "mine.txt": "m" }, "mine");
    const again = openTrunk(ground.home, AT);
    expect(again).toMatchObject({ top: trunk.top, base: headOf(ground) });
    expect(existsSync(join(again.top, "mine.txt"))).toBe(true);
    commitIn(again.top, { "two.txt": "2" }, "two");
    closeTrunk(again);
    expect(takeTrunk(ground.home, false)).toMatchObject({ how: "fast-forward" });
    expectNothingLeft(ground, trunk);
  });

  it("keeps unfinished work and what task trees have, and takes neither", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    writeFileSync(join(trunk.top, "half.txt"), "half");
    commitIn(openTaskTree(trunk, "1.2", 1).top, { "two.txt": "2" }, "two");
    const { notes } = takeTrunk(ground.home, false);
    expect(notes).toEqual([
      "Unfinished work was not taken; it is kept at refs/smart-ralph/aside/demo/take/1.",
    ]);
    expect(existsSync(join(ground.repository.root, "half.txt"))).toBe(false);
    expect(
      listAside(ground.home)
        .map(({ task }) => task)
        .sort(),
    ).toEqual(["1.2", "take"]);
    expectNothingLeft(ground, trunk);
  });
});

describe("take refuses, and changes nothing", () => {
  const expectSame = (ground: Ground, trunk: Trunk, work: () => void): void => {
    const look = () => [
      headOf(ground),
      ground.repository.git("status", "--porcelain"),
      readFileSync(ground.home.tasks, "utf8"),
    ];
    const before = look();
    work();
    expect(look()).toEqual(before);
    expect(existsSync(trunk.spec.tasks)).toBe(true);
    expect(ground.repository.git("branch", "--list", trunk.branch)).not.toBe("");
  };

  it.each<[string, (ground: Ground) => void, RegExp, string]>([
    [
      "a conflict",
      ({ repository }) => void repository.commit({ "one.txt": "other\n" }),
      /both changed one\.txt; nothing has changed/,
      "git merge smart-ralph/demo does it by hand",
    ],
    [
      "an uncommitted file in the way",
      ({ repository }) => repository.write({ "one.txt": "mine\n" }),
      /uncommitted changes in what the run changed: one\.txt/,
      "commit or stash",
    ],
    [
      "an ignored file in the way",
      ({ repository }) => {
        writeFileSync(join(repository.root, ".git/info/exclude"), "one.txt\n");
        repository.write({ "one.txt": "mine\n" });
      },
      /one\.txt/,
      "commit or stash",
    ],
    [
      "a list that changed on both sides",
      ({ home }) => writeFileSync(home.tasks, `${TREE_TASKS}- [ ] 1.3 mine\n`),
      /tasks\.md of "demo" changed in your tree and in the run's/,
      "keep one",
    ],
    [
      "a detached HEAD",
      ({ repository }) => void repository.git("checkout", "-q", "--detach"),
      /no branch/,
      "git switch main",
    ],
    [
      "a merge in the middle",
      ({ repository }) =>
        writeFileSync(
          join(repository.root, ".git/MERGE_HEAD"),
          `${repository.git("rev-parse", "HEAD")}\n`,
        ),
      /middle of a merge/,
      "abort",
    ],
    [
      "git's lock",
      ({ repository }) => writeFileSync(join(repository.root, ".git/index.lock"), ""),
      /index\.lock/,
      "nothing has changed",
    ],
  ])("%s", (_, how, message, fix) => {
    const ground = makeGround();
    const trunk = runOne(ground);
    how(ground);
    expectSame(ground, trunk, () => {
      const refused = refusalOf(() => takeTrunk(ground.home, false));
      expect(refused.message).toMatch(message);
      expect(refused.fix).toContain(fix);
    });
  });

  it("while the run is on", () => {
    const ground = makeGround();
    const trunk = runOne(ground);
    const record = readTrunkRecord(trunk.place) as TrunkRecord;
    const stat = startedOf(process.ppid);
    writeTrunkRecord(trunk.place, { ...record, pid: process.ppid, started: stat });
    expectSame(ground, trunk, () => {
      const { message, fix } = refusalOf(() => takeTrunk(ground.home, false));
      expect(message).toContain(`process ${process.ppid}`);
      expect(fix).toContain("stop it first");
    });
    // Another process has the pid now.
    writeTrunkRecord(trunk.place, { ...record, pid: process.ppid, started: "long ago" });
    expect(takeTrunk(ground.home, false).how).toBe("fast-forward");
  });
});

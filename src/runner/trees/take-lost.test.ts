import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import {
  AT,
  commitIn,
  gitIn,
  headOf,
  makeGround,
  refusalOf,
  runOne,
} from "../../../test/support/trees.ts";
import { readTrunkRecord, type TrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { findGit } from "../../store/git-files.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("a branch that somebody deleted is taken from its work tree", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const verified = gitIn(trunk.top, "rev-parse", "HEAD");
  gitIn(trunk.top, "update-ref", "-d", "HEAD");
  expect(takeTrunk(ground.home, false)).toMatchObject({ commit: verified, commits: 1 });
  expect(headOf(ground)).toBe(verified);
});

it("a run goes on at the last commit of its work tree if its branch was deleted", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const verified = gitIn(trunk.top, "rev-parse", "HEAD");
  gitIn(trunk.top, "update-ref", "-d", "HEAD");
  const again = openTrunk(ground.home, AT);
  closeTrunk(again);
  expect(gitIn(trunk.top, "rev-parse", trunk.branch)).toBe(verified);
  expect(again.notes.join()).toContain("branch was gone");
});

it("without its branch and commits, the work tree stays, and nothing begins in it", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  gitIn(trunk.top, "update-ref", "-d", "HEAD");
  rmSync(join(findGit(trunk.top)?.own ?? "", "logs"), { recursive: true });
  const refused = /is gone, and git no longer has its commits/;
  expect(refusalOf(() => takeTrunk(ground.home, false)).message).toMatch(refused);
  expect(refusalOf(() => openTrunk(ground.home, AT)).message).toMatch(refused);
  expect(existsSync(join(trunk.top, ".git"))).toBe(true);
});

it.each(["assume-unchanged", "skip-worktree"])("an edit that git overlooks is kept: %s", (flag) => {
  const ground = makeGround();
  const trunk = runOne(ground);
  gitIn(trunk.top, "update-index", `--${flag}`, "a.txt");
  writeFileSync(join(trunk.top, "a.txt"), "hidden\n");
  const task = openTaskTree(trunk, "1.2", 1);
  gitIn(task.top, "update-index", `--${flag}`, "a.txt");
  writeFileSync(join(task.top, "a.txt"), "hidden in 1.2\n");
  takeTrunk(ground.home, false);
  const kept = ground.repository.refs().filter((ref) => ref.includes("/aside/"));
  const texts = kept.map((ref) => ground.repository.git("show", `${ref}:a.txt`));
  expect(texts.sort()).toEqual(["hidden", "hidden in 1.2"]);
});

it("what somebody did in a tree that was kept is kept when the tree goes", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  takeTrunk(ground.home, true);
  writeFileSync(join(trunk.top, "later.txt"), "later\n");
  const [note = ""] = takeTrunk(ground.home, false).notes;
  expect(existsSync(trunk.top)).toBe(false);
  const ref = /refs\/\S+[^.]/.exec(note)?.[0] ?? "";
  expect(ground.repository.git("show", `${ref}:later.txt`)).toBe("later");
});

it("a submodule's commit that only the run's tree has is not lost", () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const lib = join(trunk.top, "lib");
  mkdirSync(lib);
  gitIn(lib, "init", "-q");
  writeFileSync(join(lib, "f"), "f");
  for (const [folder, name] of [
    [lib, "f"],
    [trunk.top, "lib"],
  ] as const) {
    gitIn(folder, "add", name);
    gitIn(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", name);
  }
  const before = headOf(ground);
  expect(refusalOf(() => takeTrunk(ground.home, false)).message).toContain("your submodule lib");
  expect(existsSync(join(lib, "f"))).toBe(true);
  expect(headOf(ground)).toBe(before);
});

const DEEP = `${"d/".repeat(10)}deep.md`;

it.each<[string, (path: string) => void]>([
  [DEEP, (path) => writeFileSync(path, "mine\n")],
  ["notes.1.tmp", (path) => writeFileSync(path, "mine\n")],
  ["link.md", (path) => symlinkSync("mine", path)],
])("a file of the user's in the spec's folder is not overwritten: %s", (name, write) => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const file = `specs/demo/${name}`;
  commitIn(trunk.top, { [file]: "the run's\n" }, "more");
  const path = join(ground.repository.root, file);
  mkdirSync(dirname(path), { recursive: true });
  write(path);
  expect(refusalOf(() => takeTrunk(ground.home, false)).message).toContain(file);
  const now = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8");
  expect(now.trim()).toBe("mine");
});

it("a document that the user has changed since the run began stays as it is", () => {
  const ground = makeGround();
  ground.repository.write({ "specs/demo/design.md": "first\n" });
  const trunk = runOne(ground);
  expect(gitIn(trunk.top, "ls-files", "specs/demo/design.md")).not.toBe("");
  ground.repository.write({ "specs/demo/design.md": "second\n" });
  takeTrunk(ground.home, false);
  expect(ground.repository.read("specs/demo/design.md")).toBe("second\n");
});

it("a document that an interrupted take moved out of the way is the run's", () => {
  const ground = makeGround({ "specs/demo/design.md": "committed\n" });
  ground.repository.write({ "specs/demo/design.md": "first\n" });
  const trunk = runOne(ground);
  const record = readTrunkRecord(trunk.place) as TrunkRecord;
  writeTrunkRecord(trunk.place, { ...record, stage: "taking" });
  ground.repository.git("checkout", "-q", "HEAD", "--", "specs/demo/design.md");
  takeTrunk(ground.home, false);
  expect(ground.repository.read("specs/demo/design.md")).toBe("first\n");
});

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AT,
  beginRun,
  gitIn,
  type Ground,
  makeGround,
  refusalOf,
  specIn,
  TREE_TASKS,
} from "../../../test/support/trees.ts";
import { readTrunkRecord, type TrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { listCheckpoints, writeCheckpoint } from "../../git/checkpoint.ts";
import { whoseRun } from "../../run/trust.ts";
import { readDisk, readState } from "../../store/spec-files.ts";
import { listRunningSpecs } from "../../store/vault.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const statusOf = (git: (...args: string[]) => string) => git("status", "--porcelain", "--ignored");

describe("openTrunk", () => {
  it("begins at the user's commit, with their documents committed, and leaves their tree alone", () => {
    const { repository, home, vault } = makeGround();
    repository.git("config", "user.name", "Tess");
    repository.git("config", "user.email", "tess@example.com");
    repository.write({
      "specs/demo/design.md": "# Design\n",
      "specs/demo/.progress.md": "# Progress: demo\n",
      "specs/demo/notes/more.md": "more\n",
      "specs/demo/.inbox.jsonl": "{}\n",
      "specs/demo/.progress-task-1.2.md": "a note\n",
      "a.txt": "changed\n",
      "new.txt": "new\n",
    });
    beginRun(home);
    const before = statusOf(repository.git);
    const head = repository.git("rev-parse", "HEAD");
    const trunk = openTrunk(home, AT);
    expect(statusOf(repository.git)).toBe(before);
    expect(repository.git("rev-parse", "HEAD")).toBe(head);
    expect(trunk).toMatchObject({ branch: "smart-ralph/demo", base: head, isNew: true });
    expect(trunk.leftOut).toEqual(["a.txt", "new.txt"]);
    expect(trunk.top.startsWith(join(vault, ".local/state/smart-ralph/trees/"))).toBe(true);
    expect(basename(trunk.top)).toBe("demo");
    expect(readFileSync(join(trunk.top, "a.txt"), "utf8")).toBe("a\n");
    for (const name of [
      "design.md",
      ".progress.md",
      "notes/more.md",
      ".inbox.jsonl",
      ".progress-task-1.2.md",
    ])
      expect(readFileSync(join(trunk.spec.folder, name), "utf8")).toBe(
        repository.read(`specs/demo/${name}`),
      );
    expect(gitIn(trunk.top, "log", "--format=%s by %an", `${head}..`)).toBe(
      "docs(demo): design, more by Tess",
    );
    expect(gitIn(trunk.top, "show", "--name-only", "--format=").split("\n")).toEqual([
      "specs/demo/.progress.md",
      "specs/demo/design.md",
      "specs/demo/notes/more.md",
    ]);
  });

  it("makes the run ours in its tree, and pauses it at home without writing to the user's tree", () => {
    const { home } = makeGround();
    beginRun(home);
    const state = readFileSync(home.state, "utf8");
    const trunk = openTrunk(home, AT);
    const disk = readDisk(trunk.spec);
    expect(whoseRun(disk, "run-1")).toBe("ours");
    expect(disk.last?.loop.run).toBe("r1");
    expect(listRunningSpecs(trunk.project).map(({ name }) => name)).toEqual(["demo"]);
    expect(readState(trunk.spec)).not.toMatchObject({ state: { paused: true } });
    expect(readState(home)).toMatchObject({ state: { paused: true } });
    expect(readFileSync(home.state, "utf8")).toBe(state);
  });

  it("copies checkpoints as if they were made on its branch", () => {
    const { home } = makeGround();
    beginRun(home);
    writeCheckpoint(home, "1.1", 1, AT);
    const trunk = openTrunk(home, AT);
    const [one] = listCheckpoints(trunk.spec);
    expect(one).toMatchObject({ task: "1.1", attempt: 1, at: AT, branch: "smart-ralph/demo" });
    expect(listCheckpoints(home)).toMatchObject([{ task: "1.1", branch: "main" }]);
  });

  it("commits nothing of a spec if the user does not want documents committed", () => {
    const { repository, home } = makeGround();
    repository.write({ "specs/demo/design.md": "# Design\n" });
    beginRun(home, { commitSpec: false });
    const trunk = openTrunk(home, AT);
    expect(gitIn(trunk.top, "rev-parse", "HEAD")).toBe(trunk.base);
    expect(readFileSync(join(trunk.spec.folder, "design.md"), "utf8")).toBe("# Design\n");
  });

  it("works before there is a spec, and if git has no user name", () => {
    const { repository } = makeGround();
    repository.write({ "specs/other/design.md": "x\n" });
    expect(existsSync(specIn(repository.root, "fresh").folder)).toBe(false);
    expect(openTrunk(specIn(repository.root, "fresh"), AT).spec.basePath).toBe("./specs/fresh");
    const other = openTrunk(specIn(repository.root, "other"), AT);
    expect(gitIn(other.top, "log", "-1", "--format=%an <%ae>")).toBe(
      "Smart Ralph <smart-ralph@localhost>",
    );
  });

  it("reopens an existing tree with everything in it", () => {
    const { home } = makeGround();
    beginRun(home);
    const first = openTrunk(home, AT);
    writeFileSync(join(first.top, "half-done.txt"), "x");
    writeFileSync(first.spec.tasks, TREE_TASKS.replace("[ ]", "[x]"));
    writeFileSync(first.spec.progress, "# Progress: demo\n\nmine\n");
    closeTrunk(first);
    expect(readTrunkRecord(first.place)).toMatchObject({ stage: "open", pid: 0 });
    const again = openTrunk(home, AT);
    expect(again).toMatchObject({ top: first.top, isNew: false, notes: [] });
    expect(readFileSync(join(again.top, "half-done.txt"), "utf8")).toBe("x");
    expect(readFileSync(again.spec.tasks, "utf8")).toContain("[x]");
    expect(readFileSync(again.spec.progress, "utf8")).toContain("mine");
  });

  it("brings documents that the user has changed since, unless the run has changed them too", () => {
    const { home, repository } = makeGround({ "specs/demo/design.md": "one\n" });
    beginRun(home);
    const first = openTrunk(home, AT);
    repository.write({ "specs/demo/design.md": "two\n", "specs/demo/research.md": "new\n" });
    const again = openTrunk(home, AT);
    expect(again.notes).toEqual(["Brought from your tree: design.md, research.md."]);
    expect(readFileSync(join(again.spec.folder, "design.md"), "utf8")).toBe("two\n");
    expect(gitIn(first.top, "status", "--porcelain")).toBe("");
    writeFileSync(join(first.spec.folder, "design.md"), "the run's\n");
    expect(openTrunk(home, AT).notes).toEqual([]);
    repository.write({ "specs/demo/design.md": "three\n" });
    const { message, fix } = refusalOf(() => openTrunk(home, AT));
    expect(message).toBe('design.md of "demo" changed in your tree and in the run\'s');
    expect(fix).toContain("smart-ralph take");
  });

  it("does not take another branch's documents for the user's changes", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "old");
    repository.commit({ "specs/demo/tasks.md": `${TREE_TASKS}- [ ] 1.3 three\n` });
    const first = openTrunk(home, AT);
    repository.git("switch", "-q", "old");
    expect(openTrunk(home, AT).notes).toEqual([]);
    expect(readFileSync(first.spec.tasks, "utf8")).toContain("1.3 three");
  });
});

describe("openTrunk after a crash", () => {
  const crash = (ground: Ground, how: (trunk: Trunk) => void): Trunk => {
    beginRun(ground.home);
    const first = openTrunk(ground.home, AT);
    how(first);
    return openTrunk(ground.home, AT);
  };
  const opening = ({ place }: Trunk): void =>
    void writeTrunkRecord(place, {
      ...(readTrunkRecord(place) as TrunkRecord),
      stage: "opening",
    });

  it.each<[string, (ground: Ground) => (trunk: Trunk) => void]>([
    [
      "right after the record",
      ({ repository }) =>
        (trunk) => {
          opening(trunk);
          repository.git("worktree", "remove", "--force", trunk.top);
          repository.git("branch", "-D", trunk.branch);
        },
    ],
    [
      "while git added the tree",
      ({ repository }) =>
        (trunk) => {
          opening(trunk);
          rmSync(trunk.top, { recursive: true });
          mkdirSync(trunk.top);
          repository.git("branch", "-f", "spare", trunk.branch);
        },
    ],
    [
      "before the spec was copied",
      () => (trunk) => {
        opening(trunk);
        rmSync(trunk.spec.folder, { recursive: true });
      },
    ],
    [
      "with git's lock left",
      () => (trunk) => {
        const own = gitIn(trunk.top, "rev-parse", "--absolute-git-dir");
        writeFileSync(join(own, "index.lock"), "");
      },
    ],
    ["before the run was paused at home", () => () => {}],
  ])("%s", (_, how) => {
    const ground = makeGround();
    const again = crash(ground, how(ground));
    expect(gitIn(again.top, "status", "--porcelain")).toBe("");
    expect(gitIn(again.top, "symbolic-ref", "--short", "HEAD")).toBe("smart-ralph/demo");
    expect(readFileSync(again.spec.tasks, "utf8")).toBe(TREE_TASKS);
    expect(whoseRun(readDisk(again.spec), "x")).toBe("ours");
    expect(readTrunkRecord(again.place)).toMatchObject({ stage: "open" });
    expect(gitIn(again.top, "commit", "--allow-empty", "-m", "it can commit")).toContain(
      "it can commit",
    );
  });

  it("checks the branch out again, with its commits, if its folder is gone", () => {
    const ground = makeGround();
    const again = crash(ground, (trunk) => {
      writeFileSync(join(trunk.top, "one.txt"), "1");
      gitIn(trunk.top, "add", "one.txt");
      gitIn(trunk.top, "commit", "-q", "-m", "one");
      rmSync(trunk.top, { recursive: true });
    });
    expect(again.notes).toHaveLength(1);
    expect(existsSync(join(again.top, "one.txt"))).toBe(true);
    expect(readState(again.spec)).toMatchObject({ kind: "ok" });
  });

  it("begins again if the user has removed both", () => {
    const ground = makeGround();
    const again = crash(ground, (trunk) => {
      ground.repository.git("worktree", "remove", "--force", trunk.top);
      ground.repository.git("branch", "-D", trunk.branch);
    });
    expect(again.isNew).toBe(true);
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { specum } from "../../../test/support/editions.ts";
import { GIT_ENV, makeRepository, openRepository } from "../../../test/support/repository.ts";
import { AT, type Ground, makeGround, specIn, TREE_TASKS } from "../../../test/support/trees.ts";
import { listCheckpoints, writeCheckpoint } from "../../git/checkpoint.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { formatEntry } from "../../run/journal-lines.ts";
import { startLoop } from "../../run/loop.ts";
import { whoseRun } from "../../run/trust.ts";
import { openProject } from "../../store/project.ts";
import { readDisk, readState } from "../../store/spec-files.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import { appendToVault, listRunningSpecs, writeAgreement, writeRecord } from "../../store/vault.ts";
import { closeTrunk, openTrunk } from "./open-trunk.ts";
import { placeOf, readTrunkRecord, writeTrunkRecord } from "./record.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const statusOf = (git: (...args: string[]) => string) => git("status", "--porcelain", "--ignored");
const inTrunk = ({ top }: Trunk, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: top,
    encoding: "utf8",
    env: { ...process.env, ...GIT_ENV },
  }).trim();

/** A run that was begun in a client: state, record and journal. */
function begin(spec: Spec, more: object = {}): void {
  const state = { phase: "execution", runToken: "t1", commitSpec: true, ...more };
  writeFileSync(spec.state, JSON.stringify(state));
  writeRecord(spec, { token: "t1" });
  writeAgreement(spec, { commands: ["test -f one.txt"], tasks: ["1.1"] });
  const loop = startLoop("client", {}, undefined, { at: AT, runId: "r1" });
  const line = formatEntry({ at: AT, event: "start", loop });
  appendToVault(spec, line);
  writeFileSync(spec.journal, line);
  keepOutOfGit(spec);
}

const refusal = (work: () => unknown): { message: string; fix: string } => {
  try {
    work();
  } catch (error) {
    return error as { message: string; fix: string };
  }
  throw new Error("nothing was refused");
};

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
    begin(home);
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
    expect(inTrunk(trunk, "log", "--format=%s by %an", `${head}..`)).toBe(
      "docs(demo): design, more by Tess",
    );
    expect(inTrunk(trunk, "show", "--name-only", "--format=").split("\n")).toEqual([
      "specs/demo/.progress.md",
      "specs/demo/design.md",
      "specs/demo/notes/more.md",
    ]);
  });

  it("makes the run ours there, and pauses it at home without a write to the user's tree", () => {
    const { home } = makeGround();
    begin(home);
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

  it("takes checkpoints along, as made on its branch", () => {
    const { home } = makeGround();
    begin(home);
    writeCheckpoint(home, "1.1", 1, AT);
    const trunk = openTrunk(home, AT);
    const [one] = listCheckpoints(trunk.spec);
    expect(one).toMatchObject({ task: "1.1", attempt: 1, at: AT, branch: "smart-ralph/demo" });
    expect(listCheckpoints(home)).toMatchObject([{ task: "1.1", branch: "main" }]);
  });

  it("commits nothing of a spec whose documents are not to be committed", () => {
    const { repository, home } = makeGround();
    repository.write({ "specs/demo/design.md": "# Design\n" });
    begin(home, { commitSpec: false });
    const trunk = openTrunk(home, AT);
    expect(inTrunk(trunk, "rev-parse", "HEAD")).toBe(trunk.base);
    expect(readFileSync(join(trunk.spec.folder, "design.md"), "utf8")).toBe("# Design\n");
  });

  it("works before there is a spec, and where git knows no name", () => {
    const { repository } = makeGround();
    repository.write({ "specs/other/design.md": "x\n" });
    expect(existsSync(specIn(repository.root, "fresh").folder)).toBe(false);
    expect(openTrunk(specIn(repository.root, "fresh"), AT).spec.basePath).toBe("./specs/fresh");
    const other = openTrunk(specIn(repository.root, "other"), AT);
    expect(inTrunk(other, "log", "-1", "--format=%an <%ae>")).toBe(
      "Smart Ralph <smart-ralph@localhost>",
    );
  });

  it("opens again what is there, with everything in it", () => {
    const { home } = makeGround();
    begin(home);
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
    begin(home);
    const first = openTrunk(home, AT);
    repository.write({ "specs/demo/design.md": "two\n", "specs/demo/research.md": "new\n" });
    const again = openTrunk(home, AT);
    expect(again.notes).toEqual(["Brought from your tree: design.md, research.md."]);
    expect(readFileSync(join(again.spec.folder, "design.md"), "utf8")).toBe("two\n");
    expect(inTrunk(first, "status", "--porcelain")).toBe("");
    writeFileSync(join(first.spec.folder, "design.md"), "the run's\n");
    expect(openTrunk(home, AT).notes).toEqual([]);
    repository.write({ "specs/demo/design.md": "three\n" });
    const { message, fix } = refusal(() => openTrunk(home, AT));
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
    begin(ground.home);
    const first = openTrunk(ground.home, AT);
    how(first);
    return openTrunk(ground.home, AT);
  };
  const opening = ({ place }: Trunk): void =>
    void writeTrunkRecord(place, {
      ...(readTrunkRecord(place) as never as object),
      stage: "opening",
    } as never);

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
        const own = inTrunk(trunk, "rev-parse", "--absolute-git-dir");
        writeFileSync(join(own, "index.lock"), "");
      },
    ],
    ["before the run was paused at home", () => () => {}],
  ])("%s", (_, how) => {
    const ground = makeGround();
    const again = crash(ground, how(ground));
    expect(inTrunk(again, "status", "--porcelain")).toBe("");
    expect(inTrunk(again, "symbolic-ref", "--short", "HEAD")).toBe("smart-ralph/demo");
    expect(readFileSync(again.spec.tasks, "utf8")).toBe(TREE_TASKS);
    expect(whoseRun(readDisk(again.spec), "x")).toBe("ours");
    expect(readTrunkRecord(again.place)).toMatchObject({ stage: "open" });
    expect(inTrunk(again, "commit", "--allow-empty", "-m", "it can commit")).toContain(
      "it can commit",
    );
  });

  it("checks the branch out again if its folder is gone, with its commits", () => {
    const ground = makeGround();
    const again = crash(ground, (trunk) => {
      writeFileSync(join(trunk.top, "one.txt"), "1");
      inTrunk(trunk, "add", "one.txt");
      inTrunk(trunk, "commit", "-q", "-m", "one");
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

describe("openTrunk refuses, and says what to do", () => {
  it("outside git, and before the first commit", () => {
    makeGround();
    const root = makeFolder();
    fillFolder(root, { "specs/demo/tasks.md": TREE_TASKS });
    const outside = refusal(() => openTrunk(specIn(root), AT));
    expect(outside.message).toContain("not a git repository");
    expect(outside.fix).toBe("git init && git add --all && git commit, or work here with --here");
    const empty = makeRepository();
    empty.write({ "specs/demo/tasks.md": TREE_TASKS });
    expect(refusal(() => openTrunk(specIn(empty.root), AT)).message).toContain("no commit yet");
  });

  it("a branch or a folder of that name that is not a run's", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "smart-ralph/demo");
    const { message, fix } = refusal(() => openTrunk(home, AT));
    expect(message).toContain("there is a branch smart-ralph/demo already");
    expect(fix).toContain("git branch -m smart-ralph/demo");
    expect(repository.git("branch", "--list", "smart-ralph/demo")).not.toBe("");
    repository.git("branch", "-m", "smart-ralph/demo", "mine");
    const { top = "" } = placeOf(home) ?? {};
    fillFolder(top, { "mine.txt": "x" });
    expect(refusal(() => openTrunk(home, AT)).message).toContain("in the way");
    expect(existsSync(join(top, "mine.txt"))).toBe(true);
    rmSync(top, { recursive: true });
    expect(openTrunk(home, AT).isNew).toBe(true);
  });

  it("a branch called smart-ralph, which leaves no room for others below it", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "smart-ralph");
    expect(refusal(() => openTrunk(home, AT)).fix).toContain("--here");
    expect(readTrunkRecord(placeOf(home) as never)).toBeUndefined();
  });

  it("in the middle of a merge, in a run's own tree, and for a spec elsewhere", () => {
    const { home, repository } = makeGround();
    const trunk = openTrunk(home, AT);
    expect(refusal(() => openTrunk(trunk.spec, AT)).message).toBe("this is the work tree of a run");
    const far = specAt(home.project, join(makeFolder(), "far"));
    expect(refusal(() => openTrunk(far, AT)).fix).toContain("--here");
    const nested = join(repository.root, "specs/nested");
    mkdirSync(nested);
    openRepository(nested, repository.home).git("init", "-q");
    expect(refusal(() => openTrunk(specIn(repository.root, "nested"), AT)).message).toContain(
      "not in the repository",
    );
    writeFileSync(join(repository.root, ".git/MERGE_HEAD"), `${trunk.base}\n`);
    expect(refusal(() => openTrunk(home, AT)).message).toBe("git is in the middle of a merge");
  });

  it("a tree that somebody put on another branch", () => {
    const { home } = makeGround();
    const trunk = openTrunk(home, AT);
    inTrunk(trunk, "switch", "-q", "-c", "other");
    expect(refusal(() => openTrunk(home, AT)).fix).toContain("switch smart-ralph/demo");
  });
});

describe("openTrunk in unusual repositories", () => {
  it("a detached HEAD, a shallow clone, a linked work tree, a path with odd characters, a project below the top", () => {
    const { repository } = makeGround();
    repository.commit({ "b.txt": "b" });
    repository.git("checkout", "-q", "--detach");
    expect(openTrunk(specIn(repository.root), AT).isNew).toBe(true);

    const odd = join(makeFolder(), 'it\'s $(a) "place"\nü');
    repository.git("clone", "-q", "--depth", "1", `file://${repository.root}`, odd);
    const shallow = openTrunk(specIn(odd), AT);
    expect(inTrunk(shallow, "rev-list", "--count", "HEAD")).toBe("1");

    const linked = join(makeFolder(), "linked");
    repository.git("worktree", "add", "-q", "-b", "feature", linked);
    const other = openTrunk(specIn(linked), AT);
    expect(other.branch).toMatch(/^smart-ralph\/demo-[0-9a-f]{6}$/);

    const below = join(repository.root, "packages/app");
    fillFolder(below, { "specs/demo/tasks.md": TREE_TASKS });
    const project = openProject(specum, below);
    const nested = openTrunk(specAt(project, join(below, "specs/demo")), AT);
    expect(nested.spec.folder).toBe(join(nested.top, "packages/app/specs/demo"));
    expect(nested.branch).not.toBe("smart-ralph/demo");
  });

  it("says that submodules are not there", () => {
    const { repository, home } = makeGround();
    const part = makeRepository();
    part.commit({ x: "x" });
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", part.root, "part");
    repository.commit();
    expect(openTrunk(home, AT).notes).toEqual([
      "In the run's work tree, submodules are not checked out: part.",
    ]);
    const inside = join(repository.root, "part");
    fillFolder(inside, { "specs/demo/tasks.md": TREE_TASKS });
    const trunk = openTrunk(specIn(inside), AT);
    expect(inTrunk(trunk, "ls-files")).toContain("specs/demo/tasks.md");
  });

  it("follows a repository that was moved", () => {
    const { repository, home } = makeGround();
    openTrunk(home, AT);
    const moved = `${repository.root}-moved`;
    renameSync(repository.root, moved);
    expect(refusal(() => openTrunk(specIn(moved), AT)).message).toContain("smart-ralph/demo");
  });
});

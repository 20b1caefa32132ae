import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { specum } from "../../../test/support/editions.ts";
import { makeRepository, openRepository } from "../../../test/support/repository.ts";
import {
  AT,
  gitIn,
  makeGround,
  refusalOf,
  specIn,
  TREE_TASKS,
} from "../../../test/support/trees.ts";
import { placeOf, readTrunkRecord, type TrunkPlace } from "../../engine/trunk-record.ts";
import { openProject } from "../../store/project.ts";
import { specAt } from "../../store/spec.ts";
import { openTrunk } from "./open-trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("openTrunk refuses, and says what to do", () => {
  it("outside git, and before the first commit", () => {
    makeGround();
    const root = makeFolder();
    fillFolder(root, { "specs/demo/tasks.md": TREE_TASKS });
    const outside = refusalOf(() => openTrunk(specIn(root), AT));
    expect(outside.message).toContain("not a git repository");
    expect(outside.fix).toBe("git init && git add --all && git commit, or work here with --here");
    const empty = makeRepository();
    empty.write({ "specs/demo/tasks.md": TREE_TASKS });
    expect(refusalOf(() => openTrunk(specIn(empty.root), AT)).message).toContain("no commit yet");
  });

  it("a branch or a folder of that name that no run made", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "smart-ralph/demo");
    const { message, fix } = refusalOf(() => openTrunk(home, AT));
    expect(message).toContain("there is already a branch smart-ralph/demo");
    expect(fix).toContain("git branch -m smart-ralph/demo");
    expect(repository.git("branch", "--list", "smart-ralph/demo")).not.toBe("");
    repository.git("branch", "-m", "smart-ralph/demo", "mine");
    const { top = "" } = placeOf(home) ?? {};
    fillFolder(top, { "mine.txt": "x" });
    expect(refusalOf(() => openTrunk(home, AT)).message).toContain("in the way");
    expect(existsSync(join(top, "mine.txt"))).toBe(true);
    rmSync(top, { recursive: true });
    expect(openTrunk(home, AT).isNew).toBe(true);
  });

  it("a branch below which git makes no other", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "smart-ralph");
    const { message, fix } = refusalOf(() => openTrunk(home, AT));
    expect(message).toContain("there is a branch smart-ralph, so git cannot make");
    expect(fix).toContain("git branch -m smart-ralph <other name>");
  });

  it("documents that git does not commit, in git's own words, and leaves nothing", () => {
    const { home, repository } = makeGround({ ".gitattributes": "design.md filter=bad\n" });
    repository.git("config", "filter.bad.clean", "false");
    repository.git("config", "filter.bad.required", "true");
    repository.write({ "specs/demo/design.md": "# Design\n" });
    const { message, fix } = refusalOf(() => openTrunk(home, AT));
    expect(message).toMatch(/documents of "demo" cannot be committed .*: error: external filter/);
    expect(fix).toBe("fix that, and run again");
    const place = placeOf(home) as TrunkPlace;
    expect(repository.git("branch", "--list", "smart-ralph/*")).toBe("");
    expect(existsSync(place.top)).toBe(false);
    expect(readTrunkRecord(place)).toBeUndefined();
    repository.git("config", "filter.bad.clean", "cat");
    expect(gitIn(openTrunk(home, AT).top, "ls-files", "specs")).toContain("design.md");
  });

  it("a branch called smart-ralph, which leaves no room for others below it", () => {
    const { home, repository } = makeGround();
    repository.git("branch", "smart-ralph");
    expect(refusalOf(() => openTrunk(home, AT)).fix).toContain("--here");
    expect(readTrunkRecord(placeOf(home) as never)).toBeUndefined();
  });

  it("in the middle of a merge, in a run's own tree, and for a spec elsewhere", () => {
    const { home, repository } = makeGround();
    const trunk = openTrunk(home, AT);
    expect(refusalOf(() => openTrunk(trunk.spec, AT)).message).toBe(
      "this is the work tree of a run",
    );
    const far = specAt(home.project, join(makeFolder(), "far"));
    expect(refusalOf(() => openTrunk(far, AT)).fix).toContain("--here");
    const nested = join(repository.root, "specs/nested");
    mkdirSync(nested);
    openRepository(nested, repository.home).git("init", "-q");
    expect(refusalOf(() => openTrunk(specIn(repository.root, "nested"), AT)).message).toContain(
      "not in the repository",
    );
    writeFileSync(join(repository.root, ".git/MERGE_HEAD"), `${trunk.base}\n`);
    expect(refusalOf(() => openTrunk(home, AT)).message).toBe("git is in the middle of a merge");
  });

  it("a tree that somebody put on another branch", () => {
    const { home } = makeGround();
    const trunk = openTrunk(home, AT);
    gitIn(trunk.top, "switch", "-q", "-c", "other");
    expect(refusalOf(() => openTrunk(home, AT)).fix).toContain("switch smart-ralph/demo");
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
    expect(gitIn(shallow.top, "rev-list", "--count", "HEAD")).toBe("1");

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
    expect(gitIn(trunk.top, "ls-files")).toContain("specs/demo/tasks.md");
  });

  it("follows a repository that was moved", () => {
    const { repository, home } = makeGround();
    openTrunk(home, AT);
    const moved = `${repository.root}-moved`;
    renameSync(repository.root, moved);
    expect(refusalOf(() => openTrunk(specIn(moved), AT)).message).toContain("smart-ralph/demo");
  });
});

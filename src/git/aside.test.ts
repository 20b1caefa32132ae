import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { makeRepository, ODD_NAMES, openRepository } from "../../test/support/repository.ts";
import { specIn } from "../../test/support/trees.ts";
import type { Checkpoint } from "../run/undo.ts";
import { KEPT_ASIDE, keepCommit, listAside, setAside } from "./aside.ts";
import { listCheckpoints, writeCheckpoint } from "./checkpoint.ts";

beforeEach(() => {
  vi.stubEnv("HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** An attempt has begun, while the user has an uncommitted file and an untracked one. */
function begin() {
  const repository = makeRepository();
  repository.commit({
    "a.txt": "a\n",
    "b.txt": "b\n",
    ".gitignore": "ignored\n",
    "specs/demo/tasks.md": "- [ ] 1.1 one\n",
  });
  repository.write({ "b.txt": "the user's\n", "mine.txt": "the user's\n" });
  const spec = specIn(repository.root);
  writeCheckpoint(spec, "1.1", 1);
  const checkpoint = listCheckpoints(spec).at(-1) as Checkpoint;
  return {
    repository,
    spec,
    checkpoint,
    show: (ref: string, name: string) => repository.git("show", `${ref}:${name}`),
  };
}

describe("setAside", () => {
  it("keeps commits, changes and new files, and puts the tree back to the checkpoint", () => {
    const { repository, spec, checkpoint, show } = begin();
    repository.git("add", "a.txt");
    repository.write({ "a.txt": "committed\n" });
    repository.git("commit", "-q", "-m", "half", "--", "a.txt");
    repository.write({
      "a.txt": "changed\n",
      "b.txt": "the agent's\n",
      "new/deep/x.txt": "new\n",
      ignored: "i\n",
      "specs/demo/tasks.md": "- [x] 1.1 one\n",
    });
    repository.git("add", "new");
    repository.write({ "more.txt": "untracked\n" });
    const result = setAside(spec, checkpoint);
    expect(result).toMatchObject({
      kind: "kept",
      aside: { ref: "refs/smart-ralph/aside/demo/1.1/1", number: 1 },
    });
    const { ref } = (result as { aside: { ref: string } }).aside;
    expect(["a.txt", "b.txt", "new/deep/x.txt", "more.txt"].map((name) => show(ref, name))).toEqual(
      ["changed", "the agent's", "new", "untracked"],
    );
    expect(repository.git("log", "-1", "--format=%s", `${ref}~`)).toBe("half");
    expect(repository.git("rev-parse", "HEAD")).toBe(checkpoint.base);
    expect(repository.read("a.txt")).toBe("a\n");
    expect(repository.read("b.txt")).toBe("the user's\n");
    expect(repository.read("mine.txt")).toBe("the user's\n");
    expect(existsSync(join(repository.root, "new"))).toBe(false);
    expect(existsSync(join(repository.root, "more.txt"))).toBe(false);
    expect(repository.read("ignored")).toBe("i\n");
    expect(repository.read("specs/demo/tasks.md")).toBe("- [x] 1.1 one\n");
    expect(listAside(spec)).toEqual([(result as { aside: object }).aside]);
  });

  it("does nothing if only boxes have changed", () => {
    const { repository, spec, checkpoint } = begin();
    repository.write({ "specs/demo/tasks.md": "- [x] 1.1 one\n" });
    expect(setAside(spec, checkpoint)).toEqual({ kind: "nothing" });
    expect(listAside(spec)).toEqual([]);
  });

  it("comes back from another branch, which keeps its commits", () => {
    const { repository, spec, checkpoint } = begin();
    repository.git("switch", "-q", "-c", "elsewhere");
    repository.write({ "x.txt": "x" });
    repository.git("add", "x.txt");
    repository.git("commit", "-q", "-m", "x");
    expect(setAside(spec, checkpoint).kind).toBe("kept");
    expect(repository.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(repository.git("rev-parse", "HEAD")).toBe(checkpoint.base);
    expect(repository.git("log", "-1", "--format=%s", "elsewhere")).toBe("x");
    expect(existsSync(join(repository.root, "x.txt"))).toBe(false);
  });

  it("keeps files of any name, and leaves a repository in the tree where it is", () => {
    const { repository, spec, checkpoint, show } = begin();
    repository.write(Object.fromEntries(ODD_NAMES.map((name) => [name, name])));
    const nested = join(repository.root, "nested");
    mkdirSync(nested);
    const inner = openRepository(nested, repository.home);
    inner.git("init", "-q");
    inner.commit({ "only-here.txt": "x" });
    const result = setAside(spec, checkpoint) as { aside: { ref: string } };
    for (const name of ODD_NAMES) {
      expect(existsSync(join(repository.root, name))).toBe(false);
      expect(show(result.aside.ref, name)).toBe(name);
    }
    expect(readFileSync(join(nested, "only-here.txt"), "utf8")).toBe("x");
  });

  it("works in the middle of a merge with conflicts", () => {
    const { repository, spec, checkpoint, show } = begin();
    repository.git("stash", "-q");
    repository.git("switch", "-q", "-c", "other");
    repository.commit({ "a.txt": "other\n" });
    repository.git("switch", "-q", "main");
    repository.commit({ "a.txt": "main\n" });
    expect(() => repository.git("merge", "other")).toThrow();
    const result = setAside(spec, checkpoint) as { aside: { ref: string } };
    expect(show(result.aside.ref, "a.txt")).toContain("<<<<<<<");
    expect(repository.git("rev-parse", "HEAD")).toBe(checkpoint.base);
    expect(existsSync(join(repository.root, ".git/MERGE_HEAD"))).toBe(false);
  });

  it("keeps only the newest ones", () => {
    const { repository, spec } = begin();
    const head = repository.git("rev-parse", "HEAD");
    for (let i = 1; i <= KEPT_ASIDE + 2; i++) keepCommit(spec, `t ${i % 2}`, head);
    expect(listAside(spec)).toHaveLength(KEPT_ASIDE);
    expect(new Set(listAside(spec).map(({ task }) => task))).toEqual(new Set(["t%200", "t%201"]));
  });

  it("is not mistaken for the checkpoints of a spec called aside", () => {
    const { repository } = begin();
    repository.write({ "specs/aside/tasks.md": "- [ ] 1.1 one\n" });
    const spec = specIn(repository.root, "aside");
    writeFileSync(spec.tasks, "- [ ] 1.1 one\n");
    writeCheckpoint(spec, "1.1", 1);
    expect(repository.refs()).toContain("refs/smart-ralph/aside%/1.1/1");
  });
});

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { makeRepository, ODD_NAMES, openRepository } from "../../test/support/repository.ts";
import { openProject } from "../store/project.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { KEPT, listCheckpoints, removeCheckpoints, writeCheckpoint } from "./checkpoint.ts";
import { refPart } from "./repository.ts";

// Git has no user name configured here.
beforeEach(() => {
  vi.stubEnv("HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const TASKS = "- [x] 1.1 one\n- [ ] 1.2 two\n";

function makeSpec(root: string, name = "demo"): Spec {
  const folder = join(root, "specs", name);
  fillFolder(folder, { "tasks.md": TASKS });
  return specAt(openProject(specum, root), folder);
}

/** Everything that a checkpoint must leave alone, the index to the byte. */
const stateOf = ({ root, git }: ReturnType<typeof makeRepository>) => ({
  index: readFileSync(join(root, ".git/index")).toString("latin1"),
  status: git("--no-optional-locks", "status", "--porcelain", "--ignored"),
  head: readFileSync(join(root, ".git/HEAD"), "utf8"),
  stash: git("stash", "list"),
  left: readdirSync(join(root, ".git")).filter((name) => name.includes("smart-ralph")),
});

describe("writeCheckpoint", () => {
  it("is HEAD while only the spec's own files have changed", () => {
    const repository = makeRepository();
    const spec = makeSpec(repository.root);
    const head = repository.commit({ a: "1" });
    writeFileSync(spec.tasks, TASKS.replace("[ ]", "[x]"));
    expect(writeCheckpoint(spec, "1.2", 1, "2026-01-02T03:04:05.678Z")).toBe(head);
    expect(repository.refs()).toEqual(["refs/smart-ralph/demo/1.2/1"]);
    expect(repository.git("rev-parse", "refs/smart-ralph/demo/1.2/1^{commit}")).toBe(head);
    expect(listCheckpoints(spec)).toEqual([
      {
        ref: "refs/smart-ralph/demo/1.2/1",
        task: "1.2",
        attempt: 1,
        at: "2026-01-02T03:04:05.678Z",
        commit: head,
        base: head,
        branch: expect.any(String),
        ticked: ["1.1", "1.2"],
        dirty: expect.any(Array),
        overlooked: { flags: [], rules: expect.any(Array) },
      },
    ]);
  });

  it("names what git was told to overlook, and one folder for all that a sparse checkout leaves out", () => {
    const { root, git, commit, write, home } = makeRepository();
    const spec = makeSpec(root);
    commit({ a: "1", "b/c/d": "1", "b/c/e": "1", "b/f": "1", g: "1" });
    git("sparse-checkout", "set", "--no-cone", "/*", "!/b/c/");
    git("update-index", "--assume-unchanged", "a");
    git("config", "core.excludesFile", "~/my ignore");
    writeFileSync(join(home, "my ignore"), "# comment\n*.mine\n");
    write({ ".git/info/exclude": "two  \r\n" });
    vi.stubEnv("HOME", home);
    writeCheckpoint(spec, "1.2", 1);
    expect(listCheckpoints(spec)[0]?.overlooked).toEqual({
      flags: ["a", "b/c/"],
      rules: ["two  \r", "*.mine"],
    });
  });

  it("names what was uncommitted at the time, tracked or not", () => {
    const { root, commit, write } = makeRepository();
    const spec = makeSpec(root);
    commit({ a: "1", ".gitignore": "ignored\n" });
    write({ a: "2", "new folder/b": "", ignored: "" });
    writeCheckpoint(spec, "1.2", 1);
    expect(listCheckpoints(spec)[0]?.dirty).toEqual(["a", "new folder/b"]);
  });

  it("contains tracked changes, staged and not, and touches nothing", () => {
    const repository = makeRepository();
    const { root, commit, write, git } = repository;
    const spec = makeSpec(root);
    const head = commit({ staged: "1", both: "1", gone: "1", ".gitignore": "ignored\n" });
    write({ staged: "2", both: "2", added: "2" });
    git("add", "-A");
    write({ both: "3", untracked: "", ignored: "" });
    rmSync(join(root, "gone"));
    const before = stateOf(repository);
    const made = writeCheckpoint(spec, "1.2", 1) as string;
    expect(stateOf(repository)).toEqual(before);
    const show = (name: string): string => git("show", `${made}:${name}`);
    expect([show("staged"), show("both"), show("added")]).toEqual(["2", "3", "2"]);
    expect(git("show", `${made}^2:both`)).toBe("2");
    expect(git("rev-parse", `${made}^1`)).toBe(head);
    const names = git("ls-tree", "-r", "--name-only", made).split("\n");
    for (const name of ["gone", "untracked", "ignored"]) expect(names).not.toContain(name);
    // As a user would restore it.
    git("reset", "-q", "--hard");
    git("stash", "apply", "-q", "--index", made);
    expect(repository.read("both")).toBe("3");
    expect(git("status", "--porcelain")).toContain("MM both");
  });

  it("contains files of any name", () => {
    const repository = makeRepository();
    const spec = makeSpec(repository.root);
    repository.commit(Object.fromEntries(ODD_NAMES.map((name) => [name, "old"])));
    repository.write(Object.fromEntries(ODD_NAMES.map((name) => [name, "new"])));
    const made = writeCheckpoint(spec, "1.2", 1) as string;
    for (const name of ODD_NAMES) expect(repository.git("show", `${made}:${name}`)).toBe("new");
  });

  it("works with conflicts, with add -N, and while someone else holds the index", () => {
    const repository = makeRepository();
    const { root, commit, git, write } = repository;
    const spec = makeSpec(root);
    commit({ a: "1" });
    git("checkout", "-q", "-b", "side");
    commit({ a: "2" });
    git("checkout", "-q", "main");
    commit({ a: "3" });
    expect(() => git("merge", "side")).toThrow();
    write({ meant: "later" });
    git("add", "-N", "meant");
    writeFileSync(join(root, ".git/index.lock"), "");
    const made = writeCheckpoint(spec, "1.2", 1) as string;
    expect(git("show", `${made}:a`)).toContain("<<<<<<<");
    expect(git("show", `${made}:meant`)).toBe("later");
  });

  it("notices a change that came right after the index was written", () => {
    const repository = makeRepository();
    const spec = makeSpec(repository.root);
    for (let i = 0; i < 10; i++) {
      repository.commit({ a: `${i}-` });
      repository.write({ a: `${i}+` });
      const made = writeCheckpoint(spec, "1.2", 1) as string;
      expect(repository.git("show", `${made}:a`)).toBe(`${i}+`);
    }
  });

  it("works without a branch and in a linked work tree, separately from the main one", () => {
    const repository = makeRepository();
    const { home, root, commit, git } = repository;
    const head = commit({ a: "1" });
    git("checkout", "-q", "--detach");
    git("worktree", "add", "-q", join(home, "tree"), "-b", "side");
    const tree = openRepository(join(home, "tree"), home);
    const [main, side] = [makeSpec(root), makeSpec(tree.root)];
    expect(writeCheckpoint(main, "1.1", 1)).toBe(head);
    tree.write({ a: "2" });
    const made = writeCheckpoint(side, "1.1", 1) as string;
    expect(git("show", `${made}:a`)).toBe("2");
    expect(repository.refs()).toEqual([
      "refs/smart-ralph/demo/1.1/1",
      "refs/smart-ralph/demo@@tree/1.1/1",
    ]);
    expect(listCheckpoints(main).map(({ commit: one }) => one)).toEqual([head]);
    expect(listCheckpoints(side).map(({ commit: one }) => one)).toEqual([made]);
    expect(readdirSync(join(root, ".git/worktrees/tree")).join()).not.toContain("smart-ralph");
  });

  it("keeps projects of one repository apart", () => {
    const { root, commit, refs } = makeRepository();
    const [one, other] = ["apps/a", "apps/b"].map((name) => makeSpec(join(root, name))) as [
      Spec,
      Spec,
    ];
    commit();
    writeCheckpoint(one, "1.1", 1);
    expect(refs()).toEqual(["refs/smart-ralph/demo@apps%2Fa%2Fspecs%2Fdemo/1.1/1"]);
    expect(listCheckpoints(other)).toEqual([]);
  });

  it.each(["a b", "日本", "-x", ".dot", "a..b", "x.lock", "undone", "@", "a@{b", "it's", "e%20"])(
    "accepts a spec called %j",
    (name) => {
      const { root, commit, refs } = makeRepository();
      const spec = makeSpec(root, name);
      const head = commit();
      expect(writeCheckpoint(spec, "1.1", 1)).toBe(head);
      expect(writeCheckpoint(spec, "#3", 1)).toBe(head);
      expect(refs()).toHaveLength(2);
      expect(refs().join()).not.toContain("smart-ralph/undone/");
      expect(listCheckpoints(spec).map(({ task }) => task)).toEqual(["1.1", "#3"]);
    },
  );

  it("keeps the first checkpoint of an attempt: a new run counts from one again", () => {
    const { root, commit, refs } = makeRepository();
    const spec = makeSpec(root);
    const [first] = [commit(), writeCheckpoint(spec, "1.1", 1), writeCheckpoint(spec, "1.1", 1)];
    expect(refs()).toHaveLength(1);
    writeCheckpoint(spec, "1.1", 2);
    const next = commit();
    expect(writeCheckpoint(spec, "1.1", 1)).toBe(next);
    expect(listCheckpoints(spec).map((one) => [one.attempt, one.commit])).toEqual([
      [1, first],
      [2, first],
      [3, next],
    ]);
  });

  it("is written again if nothing has changed: an older spec of that name may have left one", () => {
    const { root, commit } = makeRepository();
    const spec = makeSpec(root);
    const head = commit();
    writeCheckpoint(spec, "1.1", 1, "2020-01-01T00:00:00.000Z");
    writeFileSync(spec.tasks, TASKS.replace("[x]", "[ ]"));
    expect(writeCheckpoint(spec, "1.1", 1, "2026-01-01T00:00:00.000Z")).toBe(head);
    expect(listCheckpoints(spec)).toMatchObject([{ at: "2026-01-01T00:00:00.000Z", ticked: [] }]);
  });

  it("keeps the newest, and removes what it is told to", () => {
    const { root, commit, refs, git } = makeRepository();
    const spec = makeSpec(root);
    commit();
    writeCheckpoint(makeSpec(root, "other"), "1.1", 1);
    writeCheckpoint(spec, "1.1", 1, "2026-01-01T00:00:00.000Z");
    const tag = git("rev-parse", "refs/smart-ralph/demo/1.1/1");
    for (let i = 2; i < KEPT; i++) {
      mkdirSync(join(root, `.git/refs/smart-ralph/demo/1.${i}`));
      writeFileSync(join(root, `.git/refs/smart-ralph/demo/1.${i}/1`), `${tag}\n`);
    }
    for (const task of ["2.1", "2.2", "2.3"]) writeCheckpoint(spec, task, 1);
    const kept = listCheckpoints(spec);
    expect(kept).toHaveLength(KEPT);
    expect(kept.slice(-3).map(({ task }) => task)).toEqual(["2.1", "2.2", "2.3"]);
    removeCheckpoints(spec, kept.slice(0, -1));
    expect(refs()).toEqual(["refs/smart-ralph/demo/2.3/1", "refs/smart-ralph/other/1.1/1"]);
  });

  it("writes none before the first commit, outside git, or without git", () => {
    const empty = makeRepository();
    expect(writeCheckpoint(makeSpec(empty.root), "1.1", 1)).toBeUndefined();
    const outside = makeSpec(makeFolder());
    expect(writeCheckpoint(outside, "1.1", 1)).toBeUndefined();
    expect(listCheckpoints(outside)).toEqual([]);
    const { root, commit } = makeRepository();
    commit();
    vi.stubEnv("PATH", makeFolder());
    expect(writeCheckpoint(makeSpec(root), "1.1", 1)).toBeUndefined();
    expect(listCheckpoints(makeSpec(root))).toEqual([]);
  });

  it("skips refs that are not its own", () => {
    const { root, commit, git } = makeRepository();
    const spec = makeSpec(root);
    commit();
    git("update-ref", "refs/smart-ralph/demo/1.1/1", "HEAD");
    expect(listCheckpoints(spec)).toEqual([]);
    mkdirSync(join(root, "x"));
    expect(writeCheckpoint(spec, "1.1", 1)).toBeUndefined();
  });
});

describe("refPart", () => {
  it.each([
    ["demo", "demo"],
    ["001-user.auth_x", "001-user.auth_x"],
    ["#3", "#3"],
    ["a/b", "a%2Fb"],
    ["a.", "a%2E"],
    ["ü", "%C3%BC"],
    ["%", "%25"],
    ["\ud800", "%EF%BF%BD"],
  ])("%j is %s", (text, part) => {
    expect(refPart(text)).toBe(part);
  });
});

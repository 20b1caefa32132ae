import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AT, commitIn, gitIn, makeGround, TREE_TASKS } from "../../../test/support/trees.ts";
import { listAside } from "../../git/aside.ts";
import { beginConflict, type Conflict, finishConflict } from "./conflict.ts";
import { bringBack, undoMerge } from "./merge-queue.ts";
import { openTrunk } from "./open-trunk.ts";
import { openTaskTree, removeTaskTree, removeTaskTrees, type TaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const open = (files: Readonly<Record<string, string>> = {}): Trunk =>
  openTrunk(makeGround(files).home, AT);
const headOf = (top: string): string => gitIn(top, "rev-parse", "HEAD");
const subjects = ({ top, base }: Trunk): string[] =>
  gitIn(top, "log", "--reverse", "--format=%s", `${base}..`).split("\n");
const branches = ({ top }: Trunk): string[] =>
  gitIn(top, "branch", "--format=%(refname:short)").split("\n").sort();

describe("a task's tree", () => {
  it("begins at the trunk's last commit, with the spec's documents and without its state", () => {
    const trunk = open();
    commitIn(trunk.top, { "one.txt": "1" }, "one");
    writeFileSync(trunk.spec.state, "{}");
    writeFileSync(trunk.spec.tasks, TREE_TASKS.replace("[ ]", "[x]"));
    const tree = openTaskTree(trunk, "1.2", 1);
    expect(tree).toMatchObject({ branch: "smart-ralph/demo+1.2", base: headOf(trunk.top) });
    expect(existsSync(join(tree.top, "one.txt"))).toBe(true);
    expect(readFileSync(tree.spec.tasks, "utf8")).toContain("[x]");
    expect(existsSync(tree.spec.state)).toBe(false);
    removeTaskTree(tree);
    expect(existsSync(tree.top)).toBe(false);
    expect(branches(trunk)).toEqual(["main", "smart-ralph/demo"]);
    expect(listAside(trunk.home)).toEqual([]);
  });

  it.each(["T 001", "../x", "a..b", "ü/ö", "-rf", `${"long".repeat(40)}`, "x.lock", "@{1}"])(
    "can belong to a task called %s",
    (id) => {
      const trunk = open();
      const tree = openTaskTree(trunk, id, 1);
      expect(tree.top.startsWith(`${trunk.top}+`)).toBe(true);
      expect(tree.top.slice(trunk.top.length)).not.toContain("/");
      commitIn(tree.top, { "x.txt": "x" }, "x");
      expect(bringBack(tree).kind).toBe("merged");
      removeTaskTree(tree);
      expect(branches(trunk)).toEqual(["main", "smart-ralph/demo"]);
    },
  );

  it("keeps what an earlier attempt left, even if its folder is gone", () => {
    const trunk = open();
    const first = openTaskTree(trunk, "1.1", 1);
    commitIn(first.top, { "one.txt": "1" }, "one");
    writeFileSync(join(first.top, "more.txt"), "uncommitted");
    const second = openTaskTree(trunk, "1.1", 2);
    expect(existsSync(join(second.top, "one.txt"))).toBe(false);
    const [kept] = listAside(trunk.home);
    expect(kept?.ref).toBe("refs/smart-ralph/aside/demo/1.1/1");
    expect(gitIn(trunk.top, "show", `${kept?.ref}:more.txt`)).toBe("uncommitted");
    expect(gitIn(trunk.top, "show", `${kept?.ref}:one.txt`)).toBe("1");
    commitIn(second.top, { "two.txt": "2" }, "two");
    rmSync(second.top, { recursive: true });
    openTaskTree(trunk, "1.1", 3);
    expect(listAside(trunk.home)).toHaveLength(2);
    expect(removeTaskTrees(trunk)).toBe(1);
    expect(branches(trunk)).toEqual(["main", "smart-ralph/demo"]);
  });
});

describe("bringBack", () => {
  it("puts tasks on the trunk one after the other, each exactly once, in a linear history", () => {
    const trunk = open();
    const [one, two] = ["1.1", "1.2"].map((id) => openTaskTree(trunk, id, 1)) as [
      TaskTree,
      TaskTree,
    ];
    commitIn(one.top, { "one.txt": "1" }, "one");
    commitIn(two.top, { "two.txt": "2" }, "two");
    const first = bringBack(one);
    const second = bringBack(two);
    expect(first).toMatchObject({ kind: "merged", before: trunk.base });
    expect(second).toMatchObject({
      kind: "merged",
      before: headOf(one.top),
      after: headOf(trunk.top),
    });
    expect(subjects(trunk)).toEqual(["one", "two"]);
    expect(bringBack(two)).toMatchObject({ before: headOf(trunk.top), after: headOf(trunk.top) });
    expect(gitIn(trunk.top, "status", "--porcelain")).toBe("");
  });

  it("leaves boxes, notes and state to the trunk, and takes a task's own notes", () => {
    const trunk = open({
      "specs/demo/.progress.md": "# Progress\n",
      "specs/demo/design.md": "d\n",
    });
    const tree = openTaskTree(trunk, "1.1", 1);
    const ticked = TREE_TASKS.replace("[ ]", "[x]");
    writeFileSync(trunk.spec.tasks, ticked.replace("[ ]", "[x]"));
    commitIn(
      tree.top,
      {
        "one.txt": "1",
        "specs/demo/tasks.md": ticked,
        "specs/demo/.progress.md": "mine\n",
        "specs/demo/design.md": "better\n",
      },
      "one",
    );
    commitIn(tree.top, { "specs/demo/tasks.md": `${ticked}\n` }, "only a box");
    writeFileSync(join(tree.spec.folder, ".progress-task-1.1.md"), "a note\n");
    writeFileSync(tree.spec.progress, "and more\n");
    expect(bringBack(tree).kind).toBe("merged");
    expect(subjects(trunk)).toEqual(["one"]);
    expect(gitIn(trunk.top, "show", "--name-only", "--format=%an").split("\n")).toEqual([
      "Tess",
      "",
      "one.txt",
      "specs/demo/design.md",
    ]);
    expect(readFileSync(trunk.spec.tasks, "utf8")).toBe(ticked.replace("[ ]", "[x]"));
    expect(readFileSync(trunk.spec.progress, "utf8")).toBe("# Progress\n");
    expect(readFileSync(join(trunk.spec.folder, ".progress-task-1.1.md"), "utf8")).toBe("a note\n");
  });

  it("says what is uncommitted, or commits it", () => {
    const trunk = open();
    const tree = openTaskTree(trunk, "1.1", 1);
    writeFileSync(join(tree.top, "new\nline.txt"), "1");
    writeFileSync(join(tree.top, "a.txt"), "2");
    expect(bringBack(tree)).toEqual({ kind: "uncommitted", files: ["a.txt", "new\nline.txt"] });
    expect(headOf(trunk.top)).toBe(trunk.base);
    expect(bringBack(tree, "feat: one").kind).toBe("merged");
    expect(subjects(trunk)).toEqual(["feat: one"]);
    expect(gitIn(trunk.top, "log", "-1", "--format=%an")).toBe("Smart Ralph");
  });

  it("is not stopped by what a command left in the trunk, and keeps it", () => {
    const trunk = open();
    const tree = openTaskTree(trunk, "1.1", 1);
    commitIn(tree.top, { "out.txt": "task" }, "one");
    writeFileSync(join(trunk.top, "out.txt"), "left by a Verify");
    writeFileSync(trunk.spec.tasks, TREE_TASKS.replace("[ ]", "[x]"));
    expect(bringBack(tree).kind).toBe("merged");
    expect(readFileSync(join(trunk.top, "out.txt"), "utf8")).toBe("task");
    expect(readFileSync(trunk.spec.tasks, "utf8")).toContain("[x]");
    expect(gitIn(trunk.top, "show", `${listAside(trunk.home)[0]?.ref}:out.txt`)).toContain(
      "Verify",
    );
  });

  it("can be undone without changing the boxes", () => {
    const trunk = open();
    const tree = openTaskTree(trunk, "1.1", 1);
    commitIn(tree.top, { "one.txt": "1", "a.txt": "b\n" }, "one");
    const done = bringBack(tree);
    writeFileSync(trunk.spec.tasks, TREE_TASKS.replace("[ ]", "[x]"));
    writeFileSync(join(trunk.top, "a.txt"), "a Verify wrote this");
    undoMerge(trunk, (done as { before: string }).before);
    expect(headOf(trunk.top)).toBe(trunk.base);
    expect(existsSync(join(trunk.top, "one.txt"))).toBe(false);
    expect(gitIn(trunk.top, "status", "--porcelain")).toBe(" M specs/demo/tasks.md");
    expect(gitIn(tree.top, "log", "-1", "--format=%s")).toBe("one");
    expect(bringBack(tree).kind).toBe("merged");
  });
});

describe("bringBack after a crash", () => {
  it.each<[string, (trunk: Trunk, tree: TaskTree) => void]>([
    [
      "in the middle of the rebase",
      (trunk, tree) => {
        try {
          gitIn(
            tree.top,
            "-c",
            "sequence.editor=sed -i 1i\\break",
            "rebase",
            "-i",
            headOf(trunk.top),
          );
        } catch {}
        expect(gitIn(tree.top, "status")).toContain("rebase in progress");
      },
    ],
    [
      "after the rebase",
      (trunk, tree) => {
        gitIn(tree.top, "rebase", "-q", headOf(trunk.top));
      },
    ],
    [
      "with half of the files in the trunk, and git's locks",
      (trunk, tree) => {
        gitIn(tree.top, "rebase", "-q", headOf(trunk.top));
        writeFileSync(join(trunk.top, "two.txt"), "2");
        for (const { top } of [trunk, tree])
          writeFileSync(join(gitIn(top, "rev-parse", "--absolute-git-dir"), "index.lock"), "");
      },
    ],
    ["after everything was done", (_, tree) => void bringBack(tree)],
  ])("%s", (_, how) => {
    const trunk = open();
    const tree = openTaskTree(trunk, "1.2", 1);
    commitIn(trunk.top, { "one.txt": "1" }, "one");
    commitIn(tree.top, { "two.txt": "2" }, "two");
    how(trunk, tree);
    expect(bringBack(tree).kind).toBe("merged");
    expect(subjects(trunk)).toEqual(["one", "two"]);
    expect(gitIn(trunk.top, "status", "--porcelain")).toBe("");
    expect(gitIn(tree.top, "status", "--porcelain")).toBe("");
  });
});

describe("a conflict", () => {
  const conflict = (): { trunk: Trunk; tree: TaskTree; begun: Conflict } => {
    const trunk = open({ "specs/demo/.progress.md": "# Progress\n" });
    const tree = openTaskTree(trunk, "1.2", 1);
    commitIn(
      trunk.top,
      { "a.txt": "theirs\n", "specs/demo/.progress.md": "theirs\n" },
      "others did this",
    );
    commitIn(tree.top, { "a.txt": "ours\n", "two.txt": "2" }, "the task did this");
    const before = headOf(tree.top);
    expect(bringBack(tree)).toEqual({ kind: "conflict", files: ["a.txt"] });
    expect(headOf(tree.top)).toBe(before);
    expect(gitIn(tree.top, "status", "--porcelain")).toBe("");
    return { trunk, tree, begun: beginConflict(tree) as Conflict };
  };

  it("is marked in the files, and both sides are described", () => {
    const { tree, begun } = conflict();
    expect(begun.files).toEqual(["a.txt"]);
    expect(readFileSync(join(tree.top, "a.txt"), "utf8")).toMatch(
      /<{7}.*\nours\n\|{7}.*\na\n={7}\ntheirs\n>{7}/,
    );
    expect(begun.ours.commits.join()).toMatch(/^[0-9a-f]+ the task did this$/);
    expect(begun.theirs.commits.join()).toMatch(/^[0-9a-f]+ others did this$/);
    expect(begun.ours.diff).toContain("+ours");
    expect(begun.theirs.diff).toContain("+theirs");
    expect(beginConflict(tree)).toEqual(begun);
  });

  it("is not resolved while markers are left, or if the merge was aborted", () => {
    const { tree, begun } = conflict();
    expect(finishConflict(tree, begun)).toEqual({ kind: "unresolved", files: ["a.txt"] });
    gitIn(tree.top, "add", "-A");
    expect(finishConflict(tree, begun)).toEqual({ kind: "unresolved", files: ["a.txt"] });
    gitIn(tree.top, "merge", "--abort");
    expect(finishConflict(tree, begun)).toEqual({ kind: "unresolved", files: ["a.txt"] });
  });

  it.each([
    ["by us", () => {}],
    ["by the agent", (top: string) => void commitIn(top, {}, "merged")],
  ])("is committed %s, and the trunk moves on to it", (_, commit) => {
    const { trunk, tree, begun } = conflict();
    writeFileSync(join(tree.top, "a.txt"), "both\n");
    writeFileSync(join(tree.top, "fits.txt"), "too\n");
    commit(tree.top);
    expect(finishConflict(tree, begun).kind).toBe("resolved");
    expect(gitIn(tree.top, "status", "--porcelain")).toBe("");
    // Another task comes in between.
    commitIn(trunk.top, { "three.txt": "3" }, "three");
    expect(bringBack(tree).kind).toBe("merged");
    expect(gitIn(trunk.top, "show", "HEAD:a.txt")).toBe("both");
    expect(existsSync(join(trunk.top, "fits.txt"))).toBe(true);
    expect(existsSync(join(trunk.top, "three.txt"))).toBe(true);
    expect(gitIn(trunk.top, "show", "HEAD:specs/demo/.progress.md")).toBe("theirs");
  });
});

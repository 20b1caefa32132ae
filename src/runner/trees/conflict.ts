import { commitPaths, listDirty } from "../../git/commit-paths.ts";
import { commitMerge, isMerging, listMarked, mergeIn, unmerged } from "../../git/join.ts";
import { isAncestor, LONG, mergeBase } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import { stageNames } from "../../git/stage.ts";
import { unlockTree } from "../../git/unlock-tree.ts";
import type { ConflictSide } from "../../prompts/merge.ts";
import { oneLine } from "../../text/template.ts";
import { mergeMessage, requireHead } from "./merge-queue.ts";
import { bookkeepingIn } from "./spec-files.ts";
import type { TaskTree } from "./task-tree.ts";

/** A conflict, with markers in the files of the task's tree. */
export interface Conflict {
  /** The trunk's commit that is being merged. */
  readonly commit: string;
  /** Empty if git could merge after all. */
  readonly files: readonly string[];
  /** What the task did, and what was merged into the trunk meanwhile. */
  readonly ours: ConflictSide;
  readonly theirs: ConflictSide;
}

export type Resolved =
  | { readonly kind: "resolved"; readonly commit: string }
  /** These still have markers, or git still calls them unmerged. */
  | { readonly kind: "unresolved"; readonly files: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

const MAX_COMMITS = 10;
const MAX_DIFF = 6000;

/** Merges the trunk into the task's tree, with markers in conflicts. After an interruption it can be called again. */
export function beginConflict(tree: TaskTree): Conflict | { readonly failed: string } {
  const { top, trunk, task, spec } = tree;
  unlockTree(top);
  const commit = requireHead(trunk.top);
  const base = mergeBase(top, "HEAD", commit) ?? commit;
  const head = requireHead(top);
  const isOurs = bookkeepingIn(spec);
  const merged = mergeIn(top, commit, mergeMessage(task), { keeps: true, isOurs });
  if (merged.kind === "failed") return { failed: merged.why };
  const files = merged.kind === "conflict" ? merged.files : [];
  return {
    commit,
    files,
    ours: sideOf(top, base, head, files),
    theirs: sideOf(top, base, commit, files),
  };
}

function sideOf(top: string, base: string, head: string, files: readonly string[]): ConflictSide {
  const log = ["log", "--no-merges", `--max-count=${MAX_COMMITS}`, "--format=%h %s"];
  const { out } = runGit(top, [...log, `${base}..${head}`, "--", ...files]);
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=2"];
  const diff = runGit(top, ["diff", ...options, base, head, "--", ...files]).out;
  return {
    commits: out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => oneLine(line, 120)),
    diff: files.length === 0 ? "" : diff.slice(0, MAX_DIFF),
    isCut: diff.length > MAX_DIFF,
  };
}

/** Checks whether the agent resolved the conflict, and commits the merge if the agent did not. */
export function finishConflict(tree: TaskTree, { commit, files }: Conflict): Resolved {
  const { top, task, spec } = tree;
  const marked = listMarked(top, files);
  if (marked.length > 0) return { kind: "unresolved", files: marked };
  if (isMerging(top)) {
    const isOurs = bookkeepingIn(spec);
    // The resolution may include changes in files that did not conflict.
    const names = [...new Set([...listDirty(top), ...unmerged(top)])].filter((one) => !isOurs(one));
    const added = stageNames(top, names, LONG);
    const why = added.ok ? commitMerge(top, mergeMessage(task)) : added.err;
    if (why !== undefined) return { kind: "failed", why: oneLine(why, 300) };
  } else if (!isAncestor(top, commit, "HEAD")) {
    // The agent has aborted the merge.
    return { kind: "unresolved", files };
  } else {
    const isOurs = bookkeepingIn(spec);
    const left = listDirty(top).filter((name) => !isOurs(name));
    const why = commitPaths(top, left, mergeMessage(task));
    if (why !== undefined) return { kind: "failed", why: oneLine(why, 300) };
  }
  return { kind: "resolved", commit: requireHead(top) };
}

/** Why a conflict is not resolved, if it is not. */
export const tellUnresolved = (end: Resolved): string | undefined =>
  end.kind === "unresolved"
    ? `conflict markers are left in ${end.files.join(", ")}`
    : end.kind === "failed"
      ? end.why
      : undefined;

import type { GitDirs } from "../store/git-files.ts";
import { headOf } from "./own-tree.ts";
import { lineFrom, linesOf, namesOf, runGit } from "./run.ts";
import { withScratchIndex } from "./scratch-index.ts";

/** If a task has more commits, they are not rewritten one by one. */
const MAX_COMMITS = 200;
const TIMEOUT_MS = 120_000;

/**
 * Rewrites the commits after `base` without their changes to some files, which stay as in `base`. Returns the new last
 * commit, or `head` if there are no such changes. Undefined if git fails.
 */
function dropFiles(
  git: GitDirs,
  base: string,
  head: string,
  isDropped: (name: string) => boolean,
): string | undefined {
  const { top } = git;
  const log = runGit(top, [
    "log",
    "-z",
    "-m",
    "--name-only",
    "--no-renames",
    "--format=",
    `${base}..${head}`,
    "--",
  ]);
  const names = [...new Set(namesOf(log.out).map((name) => name.replace(/^\n/, "")))];
  const dropped = names.filter(isDropped);
  if (!log.ok) return undefined;
  if (dropped.length === 0) return head;
  const list = runGit(top, ["rev-list", "--reverse", "--parents", `${base}..${head}`]);
  const rows = linesOf(list.out).map((row) => row.split(" "));
  if (!list.ok) return undefined;
  const isLine = rows.length <= MAX_COMMITS && rows.every((row) => row.length === 2);
  // A long history, or one with merges, is not rewritten: one more commit puts the files back.
  const commits = isLine ? rows.map(([commit = ""]) => commit) : [head];
  return withScratchIndex(git, TIMEOUT_MS, ({ run }) => {
    const info = entriesAt(top, base, dropped);
    let parent = isLine ? base : head;
    for (const commit of commits) {
      if (run(["read-tree", commit]) === undefined) return undefined;
      if (run(["update-index", "-z", "--index-info"], info) === undefined) return undefined;
      const tree = run(["write-tree"]);
      if (tree === undefined) return undefined;
      if (tree === run(["rev-parse", `${parent}^{tree}`])) continue;
      const next = writeLike(top, commit, tree, parent, isLine);
      if (next === undefined) return undefined;
      parent = next;
    }
    return parent;
  });
}

/**
 * The same, and moves the branch there. The work tree stays as it is. Returns the new last commit, or why it failed.
 */
export function rewriteWithout(
  git: GitDirs,
  branch: string,
  base: string,
  isDropped: (name: string) => boolean,
): { readonly head: string } | { readonly why: string } {
  const { top } = git;
  const head = headOf(top);
  const next = head && dropFiles(git, base, head, isDropped);
  if (head === undefined || next === undefined)
    return { why: "its commits cannot be written without the spec's own files" };
  if (next === head) return { head };
  const { ok, err } = runGit(top, ["update-ref", `refs/heads/${branch}`, next, head]);
  return ok ? { head: next } : { why: err.trim() };
}

/** Input for `update-index`: each file as in the commit, or removed. */
function entriesAt(top: string, commit: string, names: readonly string[]): string {
  const { out } = runGit(top, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...names]);
  const entries = new Map(
    namesOf(out).map((entry) => [entry.slice(entry.indexOf("\t") + 1), entry]),
  );
  const nothing = "0".repeat(commit.length);
  return names.map((name) => `${entries.get(name) ?? `0 ${nothing}\t${name}`}\0`).join("");
}

/** Writes a commit with the same author and message, or with our own message. */
function writeLike(
  top: string,
  commit: string,
  tree: string,
  parent: string,
  isSame: boolean,
): string | undefined {
  const [name = "", email = "", date = "", message = ""] = isSame
    ? runGit(top, ["show", "--no-patch", "--format=%an%x00%ae%x00%aI%x00%B", commit]).out.split(
        "\0",
      )
    : [];
  const author = isSame
    ? { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date }
    : {};
  return lineFrom(top, ["commit-tree", "--no-gpg-sign", tree, "-p", parent], {
    env: author,
    input: isSame ? message.replace(/\n$/, "") : "chore: restore the spec's own files\n",
  });
}

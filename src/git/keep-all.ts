import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { readText } from "../store/read.ts";
import { copyIndex, REFS, writeRef } from "./checkpoint.ts";
import { listDirty } from "./commit-paths.ts";
import { IDENTITY } from "./identity.ts";
import { showFlagged } from "./overlooked.ts";
import { headOf } from "./own-tree.ts";
import { refPart } from "./repository.ts";
import { runGit } from "./run.ts";
import { type ScratchIndex, withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";

/** For a large repository on a slow disk. */
const TIMEOUT_MS = 600_000;

/** Where everything of a discarded run is kept. Never removed by us. */
export const discardedRef = (name: string, at: string): string =>
  `${REFS}/discarded/${refPart(name)}/${at.replace(/[-:.]/g, "")}`;

/** Uncommitted files, as `listDirty` has them, and tracked ones whose edits a flag in the index hides. */
export function listUncommitted(git: GitDirs): string[] {
  const names = withShown(git, ({ env }) => listDirty(git.top, [], env));
  if (names === undefined) throw new Error(`git cannot say what is uncommitted in ${git.top}`);
  return names;
}

/** Where git notes commits of an operation that waits to be continued. */
const NOTED = [
  ..."MERGE_HEAD MERGE_AUTOSTASH CHERRY_PICK_HEAD REVERT_HEAD".split(" "),
  ...["rebase-merge", "rebase-apply"].flatMap((one) => [`${one}/autostash`, `${one}/orig-head`]),
];

/** Commits that no branch, tag or remote has: of the tree's HEAD, of an operation in progress, of refs of its own. */
export function listLone(git: GitDirs): string[] {
  const { top, own } = git;
  const noted = NOTED.flatMap((name) => {
    const file = readText(join(own, name), 1 << 20);
    return file.kind === "ok" ? (file.text.match(/^[0-9a-f]{40,64}$/gm) ?? []) : [];
  });
  const format = ["for-each-ref", "--format=%(objectname)"];
  const refs = runGit(top, [...format, "refs/bisect", "refs/worktree", "refs/rewritten"]);
  const known = [headOf(top) ?? [], noted, refs.out.match(/^[0-9a-f]{40,64}$/gm) ?? []].flat();
  return [...new Set(known)].filter((commit) => {
    // An agent may have written anything there.
    if (!runGit(top, ["cat-file", "-e", `${commit}^{commit}`]).ok) return false;
    const list = [
      "rev-list",
      "--max-count=1",
      commit,
      "--not",
      "--branches",
      "--tags",
      "--remotes",
    ];
    const { ok, out } = runGit(top, list, { timeoutMs: TIMEOUT_MS });
    return !ok || out !== "";
  });
}

interface Keeping {
  readonly heads: readonly string[];
  readonly files?: readonly string[];
  /** Whether what git cannot read may be missing: a run must not end because of it. */
  readonly mayMiss?: boolean;
}

/**
 * Commits everything that is uncommitted in the work tree on top of `heads` and of commits that only the tree has, and
 * `files` of it even if git ignores them. The tree stays as it is. Undefined if any of it cannot be kept.
 */
export const keepTree = (
  git: GitDirs,
  what: string,
  { heads, files = [], mayMiss = false }: Keeping,
): string | undefined =>
  withShown(git, ({ env, run, commit }) => {
    const parents = [...new Set([...heads, ...listLone(git)])];
    // In the middle of a merge there is none.
    const staged = run(["write-tree"]);
    const { ok } = stageAll(git.top, { others: true }, { timeoutMs: TIMEOUT_MS, env });
    if (!ok && !mayMiss) return undefined;
    if (files.length > 0 && run(["add", "--force", "--", ...files]) === undefined) return undefined;
    const tree = run(["write-tree"]);
    if (tree === undefined) return undefined;
    const committed = parents.map((one) => run(["rev-parse", `${one}^{tree}`]));
    if (staged !== undefined && staged !== tree && !committed.includes(staged))
      parents.push(commit(staged, "what was staged", heads) ?? "");
    return commit(tree, what, parents);
  });

/** Undefined if git does not say what flags hide. */
const withShown = <T>(git: GitDirs, work: (index: ScratchIndex) => T): T | undefined =>
  withScratchIndex(git, TIMEOUT_MS, (index) => {
    copyIndex(join(git.own, "index"), index.path);
    return showFlagged(git, index) ? work(index) : undefined;
  });

/** Keeps commits under one ref: if there are several, as parents of a commit that has the files of the first. */
export function keepTogether(root: string, ref: string, commits: readonly string[]): boolean {
  const [first = "", ...others] = commits;
  if (others.length === 0) return writeRef(root, ref, first);
  const parents = commits.flatMap((one) => ["-p", one]);
  const message = ["-m", "smart-ralph: discarded, with its tasks and specs"];
  const made = runGit(root, ["commit-tree", `${first}^{tree}`, ...parents, ...message], {
    env: IDENTITY,
  });
  return made.ok && writeRef(root, ref, made.out.trim());
}

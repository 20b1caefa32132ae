import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { copyIndex, REFS, writeRef } from "./checkpoint.ts";
import { refPart } from "./repository.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";

/** For a large repository on a slow disk. */
const TIMEOUT_MS = 600_000;

/** Where everything of a discarded run is kept. Never removed by us. */
export const discardedRef = (name: string, at: string): string =>
  `${REFS}/discarded/${refPart(name)}/${at.replace(/[-:.]/g, "")}`;

/**
 * Keeps commits, what is uncommitted in the work tree, and `files` of it even if git ignores them, as one commit under a
 * ref. The tree stays as it is. False if any of it cannot be kept.
 */
export const keepAll = (
  git: GitDirs,
  ref: string,
  { heads, files }: { readonly heads: readonly string[]; readonly files: readonly string[] },
): boolean =>
  withScratchIndex(git, TIMEOUT_MS, ({ path, env, run, commit }) => {
    copyIndex(join(git.own, "index"), path);
    if (!stageAll(git.top, { others: true }, { timeoutMs: TIMEOUT_MS, env }).ok) return false;
    if (files.length > 0 && run(["add", "--force", "--", ...files]) === undefined) return false;
    const tree = run(["write-tree"]);
    const kept = tree === undefined ? undefined : commit(tree, "discarded", heads);
    return kept !== undefined && writeRef(git.top, ref, kept);
  });

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { faultIn, statOf } from "../store/read.ts";
import { isSameFolder } from "../store/vault-place.ts";

/** What git needs for a commit in a work tree, and what must stay as it is: git would run what it says. */
export interface GitMounts {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Folders that have to stay empty. */
  readonly empty: readonly string[];
}

/**
 * Of a work tree of its own, only what commits need can be written: objects, refs, logs and the tree's own state. Of the
 * main tree it is the whole `.git`. In both, settings and hooks are as the user left them: whoever changes them has
 * commands run later, by the user's own git and outside of every sandbox.
 */
export function readGitMounts(cwd: string): GitMounts {
  const git = findGit(cwd);
  if (git === undefined) return { writable: [], readOnly: [], empty: [] };
  const { top, own, common } = git;
  makeSettings(own);
  const entry = join(top, ".git");
  if (isSameFolder(own, common)) {
    const hooks = join(own, "hooks");
    const hasHooks = statOf(hooks) !== undefined;
    return {
      writable: [top, own],
      readOnly: [
        // A submodule's is a file that says where it is.
        ...(statOf(entry)?.isFile() === true ? [entry] : []),
        ...["config", "config.worktree"].map((name) => join(own, name)),
        ...(hasHooks ? [hooks] : []),
      ],
      empty: hasHooks ? [] : [hooks],
    };
  }
  const shared = ["objects", "refs", "logs", "reftable"].map((name) => join(common, name));
  return {
    writable: [top, own, ...shared],
    // A pointer that leads elsewhere would bring settings of its own.
    readOnly: [entry, ...["commondir", "gitdir", "config.worktree"].map((name) => join(own, name))],
    empty: [],
  };
}

/** Git reads these settings too, if the repository says so. Only a file that is there can be kept as it is. */
const makeSettings = (own: string): void =>
  void faultIn(() => closeSync(openSync(join(own, "config.worktree"), "ax")));

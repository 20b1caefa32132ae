import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { faultIn, statOf } from "../store/read.ts";
import { isSameFolder } from "../store/vault-place.ts";

/** What git needs to write for a commit in a work tree, and what must not change because git would run it. */
export interface GitMounts {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Folders that must stay empty. */
  readonly empty: readonly string[];
}

/**
 * In a linked work tree only what commits need is writable: objects, refs, logs and the tree's own state. In the main
 * tree it is the whole `.git`. In both, settings and hooks are read-only: the user's own git would later run commands
 * from them, outside every sandbox.
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
        // In a submodule, `.git` is a file that points to the repository.
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
    // A pointer to another folder would bring other settings.
    readOnly: [entry, ...["commondir", "gitdir", "config.worktree"].map((name) => join(own, name))],
    empty: [],
  };
}

/** Git reads these settings too, if the repository says so. Only an existing file can be mounted read-only. */
const makeSettings = (own: string): void =>
  void faultIn(() => closeSync(openSync(join(own, "config.worktree"), "ax")));

import { basename, dirname, join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { MAY_FETCH, runGit } from "./run.ts";

export type Branched =
  /** The folder is the project's, in the work tree whose top is given. */
  | {
      readonly kind: "ok";
      readonly branch: string;
      readonly folder: string;
      readonly top: string;
    }
  | { readonly kind: "failed"; readonly why: string };

/** Makes a branch and checks it out here; one that is there already is only checked out. */
export function switchToBranch(root: string, branch: string): Branched {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is no git repository" };
  const exists = runGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).ok;
  const { ok, err } = runGit(root, ["switch", ...(exists ? [] : ["-c"]), branch], {
    env: MAY_FETCH,
  });
  if (!ok) return { kind: "failed", why: lineOf(err) };
  return { kind: "ok", branch, folder: root, top: git.top };
}

/** Makes a work tree beside the repository, on a branch of its own. */
export function addWorktree(root: string, branch: string, name: string): Branched {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is no git repository" };
  const top = join(dirname(git.top), `${basename(git.top)}-${name}`);
  const { ok, err } = runGit(root, ["worktree", "add", "-b", branch, top], {
    timeoutMs: 120_000,
    env: MAY_FETCH,
  });
  if (!ok) return { kind: "failed", why: lineOf(err) };
  return { kind: "ok", branch, folder: join(top, root.slice(git.top.length)), top };
}

/** Takes back what `addWorktree` made; nothing has been committed there yet. */
export function removeWorktree(root: string, made: { branch: string; top: string }): void {
  runGit(root, ["worktree", "remove", "--force", made.top]);
  runGit(root, ["branch", "--quiet", "-D", made.branch]);
}

/** Git says first what it does, and last what went wrong. */
const lineOf = (err: string): string =>
  err
    .trim()
    .split("\n")
    .find((line) => /^(?:fatal|error):/.test(line)) ?? err.trim();

import { basename, dirname, join } from "node:path";
import { findGit, readBranch } from "../store/git-files.ts";
import { linesOf, MAY_FETCH, reasonIn, runGit, whyNot } from "./run.ts";

export type BranchResult =
  /** `folder` is the project's, in the work tree with this top. */
  | {
      readonly kind: "ok";
      readonly branch: string;
      readonly folder: string;
      readonly top: string;
    }
  | { readonly kind: "failed"; readonly why: string };

/** Creates a branch and checks it out here; an existing one is only checked out. */
export function switchToBranch(root: string, branch: string): BranchResult {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is not a git repository" };
  const exists = runGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).ok;
  const how = exists ? [] : ["-c"];
  const why = whyNot(root, ["switch", ...how, branch], { env: MAY_FETCH });
  if (why !== undefined) return { kind: "failed", why };
  return { kind: "ok", branch, folder: root, top: git.top };
}

/** Creates a branch from what is checked out, with the work tree as it is. Fails if it exists: it may hold work. */
export function createBranch(root: string, branch: string): BranchResult {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is not a git repository" };
  const created: BranchResult = { kind: "ok", branch, folder: root, top: git.top };
  if (readBranch(git) === branch) return created;
  // The branch that is checked out would be lost: it exists only once it has a commit.
  const head = runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (!head.ok)
    return { kind: "failed", why: reasonIn(head.err) || "the repository has no commit yet" };
  const why = whyNot(root, ["switch", "--no-guess", "-c", branch], { env: MAY_FETCH });
  return why === undefined ? created : { kind: "failed", why };
}

/** Renames the branch that is checked out, unless it has been pushed. Returns why it failed, or undefined. */
export function renameBranch(root: string, from: string, to: string): string | undefined {
  const upstream = runGit(root, [
    "rev-parse",
    "--abbrev-ref",
    "--verify",
    "--quiet",
    "@{upstream}",
  ]);
  if (upstream.ok) return "it has been pushed";
  return whyNot(root, ["branch", "-m", from, to]);
}

/** The names of all branches, including remote ones as of the last fetch. */
export function listBranches(root: string): string[] {
  const { out } = runGit(root, [
    "for-each-ref",
    "--format=%(refname)",
    "refs/heads",
    "refs/remotes",
  ]);
  return linesOf(out).map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, ""));
}

/** The author of a commit made here; empty if git does not know. */
export function readAuthor(root: string): string {
  const valueOf = (key: string): string => runGit(root, ["config", "--get", key]).out.trim();
  return valueOf("user.name") || (valueOf("user.email").split("@")[0] as string);
}

/** Creates a work tree next to the repository, on its own branch. */
export function addWorktree(root: string, branch: string, name: string): BranchResult {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is not a git repository" };
  const top = join(dirname(git.top), `${basename(git.top)}-${name}`);
  const options = { timeoutMs: 120_000, env: MAY_FETCH };
  const why = whyNot(root, ["worktree", "add", "-b", branch, top], options);
  if (why !== undefined) return { kind: "failed", why };
  return { kind: "ok", branch, folder: join(top, root.slice(git.top.length)), top };
}

/** Undoes `addWorktree`; nothing has been committed there yet. */
export function removeWorktree(root: string, made: { branch: string; top: string }): void {
  runGit(root, ["worktree", "remove", "--force", made.top]);
  runGit(root, ["branch", "--quiet", "-D", made.branch]);
}

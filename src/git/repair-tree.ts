import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGit, type GitDirs } from "../store/git-files.ts";
import { faultIn, lstatOf, statOf, textAt } from "../store/read.ts";
import { removeFile, writeWhole } from "../store/write.ts";
import { dropNewGitLinks, type GitLinks, readGitLinks } from "./git-links.ts";
import { isWorkTreeOf } from "./linked-work-tree.ts";
import { readOperation } from "./operation.ts";
import { commitOf, headOf, LONG } from "./own-tree.ts";
import { runGit, whyNot } from "./run.ts";
import { linksAmong, listLinks } from "./stage.ts";
import { keepInterrupted, unlockTree } from "./unlock-tree.ts";

/** One of our work trees, as it was before an agent could write to it. */
export interface KnownTree {
  readonly git: GitDirs;
  readonly branch: string;
  /** The files with which work tree and repository point to each other, with their content. */
  readonly pointers: Readonly<Record<string, string>>;
  /** Links that were in git's folder already. */
  readonly links: GitLinks;
}

/** Undefined if the folder is not a linked work tree. */
export function rememberTree(top: string, branch: string): KnownTree | undefined {
  const found = findGit(top);
  if (found === undefined || found.top !== top || !isWorkTreeOf(found)) return undefined;
  const git = { top, own: found.own, common: found.common };
  const paths = [join(top, ".git"), ...["commondir", "gitdir"].map((name) => join(git.own, name))];
  const texts = paths.map((path) => [path, textOf(path)] as const);
  return texts.every(([, text]) => text !== undefined)
    ? {
        git,
        branch,
        pointers: Object.fromEntries(texts) as Record<string, string>,
        links: readGitLinks(git),
      }
    : undefined;
}

/**
 * Call before our own git works in a tree that an agent has used. Pointers and links that lead elsewhere are undone: git
 * would write there, outside every sandbox. Leftovers of a killed git are removed, and a missing branch is recreated
 * at `base`. Returns why the work cannot be accepted, or undefined.
 */
export function repairTree(
  known: KnownTree,
  base: string | undefined,
  { endsOperation = true } = {},
): string | undefined {
  const { git, branch, links } = known;
  // First, because everything below writes to git's folder.
  const linked = dropNewGitLinks(git, links);
  if (statOf(git.top) === undefined) return undefined;
  const isReplaced = putPointersBack(known);
  if (!/^(?:ref: refs\/|[0-9a-f]{40})/.test(textOf(join(git.own, "HEAD")) ?? ""))
    writeWhole(join(git.own, "HEAD"), `ref: refs/heads/${branch}\n`);
  for (const name of ["index.lock", "HEAD.lock"]) faultIn(() => removeFile(join(git.own, name)));
  if (base !== undefined && commitOf(git.top, branch) === undefined)
    runGit(git.top, ["update-ref", `refs/heads/${branch}`, base]);
  repairIndex(git);
  if (endsOperation) endOperation(git);
  if (linked !== undefined) return linked;
  if (isReplaced)
    return "The run's repository was replaced by another one. That has been undone: work in the original one.";
  const why = whyNot(git.top, ["status", "--porcelain=v2"], LONG);
  return why === undefined ? undefined : `git cannot say what is uncommitted: ${why}`;
}

/** Submodules in HEAD or the index that none of `bases` has. Undefined if git does not answer. */
export function listNewLinks(top: string, bases: readonly string[]): string[] | undefined {
  const old = bases.map((commit) => linksIn(top, commit));
  // A branch without a commit has only the index.
  const now = headOf(top) === undefined ? [] : linksIn(top, "HEAD");
  if (now === undefined || old.includes(undefined)) return undefined;
  const isNew = (one: string): boolean => !old.some((links) => links?.has(one));
  return [...new Set([...listLinks(top, LONG), ...now])].filter(isNew);
}

function linksIn(top: string, commit: string): ReadonlySet<string> | undefined {
  const { ok, out } = runGit(top, ["ls-tree", "-r", "-z", "--full-tree", commit], LONG);
  return ok ? linksAmong(out) : undefined;
}

function putPointersBack({ git, pointers }: KnownTree): boolean {
  if (lstatOf(git.own)?.isDirectory() !== true) {
    rmSync(git.own, { recursive: true, force: true });
    mkdirSync(git.own, { recursive: true });
  }
  let isReplaced = false;
  for (const [path, text] of Object.entries(pointers)) {
    if (lstatOf(path)?.isFile() === true && textOf(path) === text) continue;
    isReplaced = true;
    rmSync(path, { recursive: true, force: true });
    writeWhole(path, text);
  }
  return isReplaced;
}

/** An index that git cannot read does not say what was staged: it is reset to the last commit. */
function repairIndex({ top, own }: GitDirs): void {
  const index = join(own, "index");
  const isThere = statOf(index) !== undefined;
  if (isThere && runGit(top, ["ls-files", "--stage", "-z"], LONG).ok) return;
  rmSync(index, { recursive: true, force: true });
  runGit(top, ["read-tree", "HEAD"], LONG);
}

/** The files stay as they are, unless there are conflicts: then they cannot be used. */
function endOperation(git: GitDirs): void {
  const busy = readOperation(git);
  const { out } = runGit(git.top, ["ls-files", "--unmerged", "-z"]);
  const isOpen = busy === "merge" || busy === "cherry-pick" || busy === "revert";
  if (isOpen && out === "") runGit(git.top, [busy, "--quit"], LONG);
  else if (isOpen) {
    keepInterrupted(git);
    runGit(git.top, [busy, "--abort"], LONG);
  }
  // An operation whose own record is incomplete cannot be aborted.
  if (isOpen && readOperation(git) === busy)
    for (const name of ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"])
      faultIn(() => removeFile(join(git.own, name)));
  unlockTree(git.top);
}

const textOf = (path: string): string | undefined => textAt(path, 64 << 10);

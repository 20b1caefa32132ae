import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { findGit, pinTop } from "../store/git-files.ts";
import { isLeftFolder } from "../store/leftovers.ts";
import { processName } from "../store/process-id.ts";
import { readProjectFile } from "../store/project-file.ts";
import { faultIn, statOf } from "../store/read.ts";
import { few } from "../text/wording.ts";
import { removeTree } from "./own-tree.ts";
import { MAY_FETCH, namesOf, runGit, whyNot } from "./run.ts";
import { listLinks } from "./stage.ts";

/** A work tree of one commit, in a private temporary folder: it contains only what is committed. */
export interface CleanTree {
  readonly top: string;
  readonly commit: string;
  /** For commands that run in it: it aborts before the work tree is removed. */
  readonly signal: AbortSignal;
  readonly remove: () => void;
}

export type CleanTreeResult =
  | { readonly kind: "ok"; readonly tree: CleanTree }
  | { readonly kind: "failed"; readonly why: string };

/** The beginning of such a folder's name; the process that uses it comes next. */
const KIND = "smart-ralph-prove";
/** A large repository, on a slow disk. */
const TIMEOUT_MS = 600_000;

/**
 * The tree is also removed if `signal` aborts, before `abort()` returns. Blocks until everything is checked out, so that
 * git is not ended halfway.
 */
export function addCleanTree(
  root: string,
  commit: string,
  signal: AbortSignal,
  parent = temporary(),
): CleanTreeResult {
  const git = findGit(root);
  if (git === undefined) return { kind: "failed", why: "this is not a git repository" };
  const folder = mkdtempSync(join(parent, `${KIND}.${processName()}.`));
  // Some builds take their name from the folder.
  const top = join(folder, basename(git.top) || "tree");
  pinTop(top);
  const inside = new AbortController();
  const remove = (): void => {
    signal.removeEventListener("abort", abort);
    removeWithFolder(root, top);
  };
  const abort = (): void => {
    inside.abort(signal.reason);
    remove();
  };
  signal.addEventListener("abort", abort);
  const settings = ["core.sparseCheckout=false", "submodule.recurse=false"];
  const why = whyNot(
    root,
    [...settings.flatMap((one) => ["-c", one]), "worktree", "add", "--detach", top, commit],
    { timeoutMs: TIMEOUT_MS, env: MAY_FETCH },
  );
  if (why === undefined)
    return { kind: "ok", tree: { top, commit, signal: inside.signal, remove } };
  remove();
  return { kind: "failed", why };
}

const temporary = (): string => realpathSync(tmpdir());

function removeWithFolder(root: string, top: string): void {
  faultIn(() => rmSync(dirname(top), { recursive: true, force: true, maxRetries: 3 }));
  removeTree(root, top);
}

/** Removes what a killed process left: our folders, and git's records of them. */
export function removeOldTrees(root: string): void {
  const { out } = runGit(root, ["worktree", "list", "--porcelain"]);
  for (const [, top = ""] of out.matchAll(/^worktree (.+)$/gm))
    if (isLeftFolder(dirname(top), [KIND])) removeWithFolder(root, top);
  const uid = process.getuid?.();
  faultIn(() => {
    for (const name of readdirSync(temporary())) {
      const path = join(temporary(), name);
      if (!isLeftFolder(path, [KIND])) continue;
      if (statOf(path)?.uid === uid || uid === undefined)
        faultIn(() => rmSync(path, { recursive: true, force: true }));
    }
  });
}

/** How many files differ from the last commit, new ones included. */
export const countUncommitted = (root: string): number =>
  namesOf(
    runGit(root, ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"]).out,
  ).length;

/** What a checkout leaves out, in sentences: submodules, and large files that only git-lfs can fetch. */
export function readMissing({ top }: Pick<CleanTree, "top">): string[] {
  const submodules = [...listLinks(top)];
  const grounds = { root: top, outside: [] };
  const attributes = readProjectFile(grounds, join(top, ".gitattributes"), 1 << 20);
  const usesLfs = attributes.kind === "ok" && attributes.text.includes("filter=lfs");
  const pointers = usesLfs ? namesOf(runGit(top, ["grep", "-l", "-z", "-F", LFS]).out) : [];
  return [
    ...(submodules.length > 0 ? [`submodules are not checked out: ${few(submodules)}`] : []),
    ...(pointers.length > 0 ? [`git-lfs has not fetched: ${few(pointers)}`] : []),
  ];
}

const LFS = "version https://git-lfs.github.com/spec/v1";

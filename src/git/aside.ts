import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoint } from "../run/undo.ts";
import type { GitDirs } from "../store/git-files.ts";
import { faultIn } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { copyIndex, REFS, updateRefs, writeRef } from "./checkpoint.ts";
import { isAncestor } from "./own-tree.ts";
import { findRepository, refPart, type Repository } from "./repository.ts";
import { keepOwnFiles, runReset } from "./reset-to-checkpoint.ts";
import { linesOf, runGit } from "./run.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";
import { listDifferences, readWorkTree, touched } from "./working-tree.ts";

/** Half-done work that was set aside for inspection. */
export interface Aside {
  readonly ref: string;
  /** As it is encoded in the ref. */
  readonly task: string;
  readonly number: number;
  readonly commit: string;
  /** When, ISO 8601. */
  readonly at: string;
}

export type AsideResult =
  | { readonly kind: "kept"; readonly aside: Aside }
  /** Nothing had changed since the checkpoint. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly why: string };

/** How many a spec keeps, newest first. */
export const KEPT_ASIDE = 50;
const TIMEOUT_MS = 600_000;
/** A checkpoint keeps at most this many names: if it is full, a file that it does not name may be old too. */
const FULL = 1000;

/**
 * Keeps everything that has changed since a checkpoint (commits, tracked files, and new files that git does not ignore)
 * and resets the work tree to the checkpoint. The spec's own files stay as they are.
 */
export function setAside(spec: Spec, checkpoint: Checkpoint): AsideResult {
  const repository = findRepository(spec);
  const tree = repository && readWorkTree(repository.git.top, { untracked: true });
  if (repository === undefined || tree === undefined)
    return { kind: "failed", why: "git cannot say what has changed" };
  const { git, isOwn } = repository;
  const work = keepWork(git, tree.head, checkpoint.task);
  if (work === undefined) return { kind: "failed", why: "git cannot keep what has changed" };
  const isNew = planNew(checkpoint);
  const fresh = new Set(tree.untracked.filter((name) => isNew(name, join(git.top, name))));
  const old = new Set(tree.untracked.filter((name) => !fresh.has(name)));
  const changed = (listDifferences(git.top, checkpoint.commit, work) ?? []).filter(
    (name) => !isOwn(name) && !old.has(name),
  );
  const isMoved = tree.head !== checkpoint.base || tree.branch !== checkpoint.branch;
  if (!isMoved && changed.length === 0) return { kind: "nothing" };
  const aside = isAncestor(git.top, work, checkpoint.base)
    ? undefined
    : keepRef(repository, checkpoint.task, work);
  if (aside === null) return { kind: "failed", why: "git cannot keep what has changed" };
  const why = putBack(repository, spec, checkpoint, tree.branch);
  if (why !== undefined) return { kind: "failed", why };
  for (const name of changed) if (fresh.has(name)) removeNew(git.top, name);
  return aside === undefined ? { kind: "nothing" } : { kind: "kept", aside };
}

/** Newest first. */
export function listAside(spec: Spec): Aside[] {
  const repository = findRepository(spec);
  if (repository === undefined) return [];
  const format = "--format=%(refname)%00%(objectname)%00%(committerdate:iso-strict)";
  const { out } = runGit(repository.git.top, ["for-each-ref", format, `${placeOf(repository)}/`]);
  return linesOf(out)
    .map((line) => {
      const [ref = "", commit = "", at = ""] = line.split("\0");
      const [task = "", number = ""] = ref.split("/").slice(-2);
      return { ref, task, number: Number(number), commit, at };
    })
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.number - a.number);
}

/** Keeps a commit that no branch will contain any more. Returns its ref; undefined if git fails. */
export function keepCommit(spec: Spec, task: string, commit: string): string | undefined {
  const repository = findRepository(spec);
  return repository === undefined ? undefined : keepRef(repository, task, commit)?.ref;
}

/** Commits everything in the work tree on top of HEAD. Returns HEAD itself if nothing has changed. */
export function keepWork(git: GitDirs, head: string, task: string): string | undefined {
  return withScratchIndex(git, TIMEOUT_MS, ({ path, env, run, commit }) => {
    copyIndex(join(git.own, "index"), path);
    stageAll(git.top, { others: true }, { timeoutMs: TIMEOUT_MS, env });
    const tree = run(["write-tree"]);
    if (tree === undefined || tree === run(["rev-parse", `${head}^{tree}`])) return tree && head;
    return commit(tree, `set aside, ${task}`, [head]);
  });
}

/** Each work tree of a run has its own key, but the spec has a single list of what was set aside. */
const placeOf = ({ key }: Repository): string => `${REFS}/aside/${key.replace(/@.*$/, "")}`;

function keepRef(repository: Repository, task: string, commit: string): Aside | null {
  const { top } = repository.git;
  const place = placeOf(repository);
  const { out } = runGit(top, [
    "for-each-ref",
    "--sort=-committerdate",
    "--format=%(refname)",
    `${place}/`,
  ]);
  const known = linesOf(out);
  const own = `${place}/${refPart(task)}/`;
  const numbers = known.flatMap((ref) =>
    ref.startsWith(own) ? [Number(ref.slice(own.length))] : [],
  );
  const number = Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1;
  const ref = own + String(number);
  if (!writeRef(top, ref, commit)) return null;
  const old = known.slice(KEPT_ASIDE - 1);
  if (old.length > 0)
    updateRefs(
      top,
      old.map((one) => `delete ${one}`),
    );
  const { out: at } = runGit(top, ["show", "--no-patch", "--format=%cI", commit]);
  return { ref, task: refPart(task), number, commit, at: at.trim() };
}

function putBack(
  repository: Repository,
  spec: Spec,
  checkpoint: Checkpoint,
  branch: string,
): string | undefined {
  const { top } = repository.git;
  // The agent may have switched to another branch, which keeps its commits.
  if (branch !== checkpoint.branch && checkpoint.branch !== "(detached)") {
    const ref = `refs/heads/${checkpoint.branch}`;
    const { out } = runGit(top, ["rev-parse", "--verify", "--quiet", ref]);
    const isKept = out === "" || keepRef(repository, checkpoint.task, out.trim()) !== null;
    const { ok, err } = runGit(top, ["symbolic-ref", "HEAD", ref]);
    if (!isKept || !ok) return err.trim() || "git cannot go back to the branch";
  }
  const restore = keepOwnFiles(repository, spec, checkpoint);
  const why = runReset(repository, checkpoint);
  restore();
  return why;
}

/** Files from before the attempt are not its work. */
function planNew({ dirty, at }: Checkpoint): (name: string, path: string) => boolean {
  if (dirty === undefined || dirty.length >= FULL) return () => false;
  const before = new Set(dirty);
  return (name, path) => !before.has(name) && touched(path, at);
}

/** Removes a file and the folders that become empty. A nested repository is not kept in the ref, so it stays. */
function removeNew(top: string, name: string): void {
  const path = join(top, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  faultIn(() => rmSync(path, { force: true }));
  const parts = name.split("/");
  for (let count = parts.length - 1; count > 0; count--) {
    if (faultIn(() => rmdirSync(join(top, ...parts.slice(0, count)))) !== undefined) return;
  }
}

import { copyFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Checkpoint, type CheckpointNote, parseNote } from "../run/undo.ts";
import type { GitDirs } from "../store/git-files.ts";
import { removeTemporary } from "../store/leftovers.ts";
import { codeOf, faultOf } from "../store/read.ts";
import { readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { EMAIL, NAME } from "./identity.ts";
import { isOnlyStanding } from "./notes.ts";
import { readOverlooked } from "./overlooked.ts";
import { findRepository, refPart, type Repository } from "./repository.ts";
import { type GitAnswer, lineFrom, reasonIn, runGit } from "./run.ts";
import { INDEX, withScratchIndex } from "./scratch-index.ts";
import { stageAll } from "./stage.ts";
import { readWorkTree, type Unread } from "./working-tree.ts";

export const REFS = "refs/smart-ralph";
/** How many a spec keeps, newest first. */
export const KEPT = 200;

/** Maximum number of uncommitted names: a tag is not the place for a whole `node_modules`. */
const MAX_DIRTY = 1000;

/** A checkpoint is made while an agent waits. */
const TIMEOUT = { timeoutMs: 5000 };

/**
 * Keeps the state of the work as a ref when an attempt begins, and returns its commit: HEAD, or a commit of the
 * uncommitted changes in tracked files. Untracked files are neither touched nor kept. Working tree, index and HEAD stay
 * as they are. Undefined outside git, before the first commit, or if git fails.
 */
export function writeCheckpoint(
  spec: Spec,
  task: string,
  attempt: number,
  at: string = new Date().toISOString(),
): string | undefined {
  const repository = findRepository(spec);
  if (repository === undefined) return undefined;
  const { git, isOwn } = repository;
  removeTemporary(git.own, [INDEX]);
  const tree = readWorkTree(git.top, { untracked: true });
  if (tree === undefined) return undefined;
  // Ticking a box changes tasks.md: that alone is not work to keep.
  const isDirty = tree.dirty.some((name) => !isOwn(name));
  const commit = isDirty ? writeWorkTree(git, tree.head) : tree.head;
  if (commit === undefined) return undefined;
  const overlooked = readOverlooked(git);

  const known = readCheckpoints(repository);
  if ("unread" in known) return undefined;
  const same = known.filter((one) => one.task === task);
  const taken = same.find((one) => one.attempt === attempt);
  const isAgain = taken?.commit === commit;
  // A new run counts attempts from one again, which must not overwrite where the task was first handed out.
  const number =
    taken === undefined || isAgain ? attempt : Math.max(...same.map((one) => one.attempt)) + 1;
  const tag = writeTag(git.top, commit, {
    task,
    attempt: number,
    at,
    base: tree.head,
    branch: tree.branch,
    ticked: tickedIn(spec),
    dirty: [
      ...tree.dirty.filter((name) => !isOnlyStanding(spec, repository, name)),
      ...tree.untracked,
    ].slice(0, MAX_DIRTY),
    ...(overlooked === undefined ? {} : { overlooked }),
  });
  if (tag === undefined) return undefined;
  const ref = [REFS, repository.key, refPart(task), number].join("/");
  const old = known.filter((one) => one.ref !== ref).slice(0, -(KEPT - 1));
  const lines = [
    `${isAgain ? "update" : "create"} ${ref} ${tag}`,
    ...old.map((one) => `delete ${one.ref}`),
  ];
  return updateRefs(git.top, lines).ok ? commit : undefined;
}

/** Oldest first; none outside git, or if git does not answer. */
export function listCheckpoints(spec: Spec): Checkpoint[] {
  const repository = findRepository(spec);
  const known = repository === undefined ? [] : readCheckpoints(repository);
  return "unread" in known ? [] : known;
}

export function removeCheckpoints(spec: Spec, checkpoints: readonly Checkpoint[]): void {
  const repository = findRepository(spec);
  if (repository === undefined || checkpoints.length === 0) return;
  updateRefs(
    repository.git.top,
    checkpoints.map(({ ref }) => `delete ${ref}`),
  );
}

/** Copies the checkpoints to a spec's copy in another work tree, as if they had been made on its branch. */
export function copyCheckpoints(from: Spec, to: Spec, branch: string): void {
  const repository = findRepository(to);
  if (repository === undefined) return;
  const { git, key } = repository;
  const lines = listCheckpoints(from).flatMap(({ ref, commit, ...said }) => {
    const tag = writeTag(git.top, commit, { ...said, branch });
    const place = ref.split("/").slice(-2).join("/");
    return tag === undefined ? [] : [`update ${REFS}/${key}/${place} ${tag}`];
  });
  if (lines.length > 0) updateRefs(git.top, lines);
}

/** Removes all checkpoints of a work tree that no longer exists, by its key. */
export function forgetCheckpoints(root: string, key: string): void {
  const { out } = runGit(root, ["for-each-ref", "--format=delete %(refname)", `${REFS}/${key}/`]);
  if (key !== "" && out !== "") updateRefs(root, [out.trimEnd()]);
}

export function readCheckpoints({ git, key }: Repository): Checkpoint[] | Unread {
  const { ok, out, err } = runGit(
    git.top,
    [
      "for-each-ref",
      "--format=%(refname)%00%(*objectname)%00%(contents:subject)",
      `${REFS}/${key}/`,
    ],
    TIMEOUT,
  );
  if (!ok) return { unread: reasonIn(err) };
  return out
    .split("\n")
    .map(parseCheckpoint)
    .filter((one) => one !== undefined)
    .sort((a, b) => (a.at === b.at ? a.attempt - b.attempt : a.at < b.at ? -1 : 1));
}

/** Other refs have other content, and are skipped. */
function parseCheckpoint(line: string): Checkpoint | undefined {
  const [ref = "", commit = "", text = ""] = line.split("\0");
  const note = parseNote(text);
  return note && { ref, commit, ...note };
}

function tickedIn(spec: Spec): string[] {
  const tasks = readTasks(spec);
  return tasks.kind === "ok"
    ? tasks.list.tasks.filter(({ checked }) => checked).map(({ id }) => id)
    : [];
}

/** The ref points to a tag, and the tag to the commit: HEAD is not our commit, so it cannot carry the message. */
function writeTag(top: string, commit: string, said: CheckpointNote): string | undefined {
  const seconds = Math.floor(Date.parse(said.at) / 1000);
  const input = `object ${commit}\ntype commit\ntag smart-ralph\ntagger ${NAME} <${EMAIL}> ${seconds} +0000\n\n${ascii(JSON.stringify(said))}\n`;
  return lineFrom(top, ["mktag"], { ...TIMEOUT, input });
}

/**
 * A commit of all tracked files as they are on disk, with HEAD and the index as its parents, which is what `git stash
 * apply` takes. `git stash create` takes twice as long, locks the index, and fails on conflicts and `add -N`.
 */
export function writeWorkTree(
  git: GitDirs,
  head: string,
  { timeoutMs } = TIMEOUT,
): string | undefined {
  try {
    return withScratchIndex(git, timeoutMs, ({ path, env, run, commit }) => {
      copyIndex(join(git.own, "index"), path);
      // An index with conflicts cannot be written as a tree.
      const staged = commit(run(["write-tree"]) ?? `${head}^{tree}`, "what was staged", [head]);
      if (staged === undefined) return undefined;
      if (!stageAll(git.top, { others: false }, { timeoutMs, env }).ok) return undefined;
      const tree = run(["write-tree"]);
      return tree === undefined ? undefined : commit(tree, "uncommitted changes", [head, staged]);
    });
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Git trusts entries older than the index. A newer copy would hide a change made right after the original. */
export function copyIndex(from: string, to: string): void {
  try {
    const { atime, mtimeMs } = statSync(from);
    copyFileSync(from, to);
    utimesSync(to, atime, Math.floor(mtimeMs / 1000));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Keeps a commit under its own ref; false if git fails. */
export const writeRef = (top: string, ref: string, commit: string): boolean =>
  updateRefs(top, [`create ${ref} ${commit}`]).ok;

export const undoneRef = (at: string): string => `${REFS}/undone/${at.replace(/[-:.]/g, "")}`;

export const updateRefs = (top: string, lines: readonly string[]): GitAnswer =>
  runGit(top, ["update-ref", "--stdin"], { ...TIMEOUT, input: `${lines.join("\n")}\n` });

const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

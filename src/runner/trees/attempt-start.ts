import { Refusal } from "../../engine/refusal.ts";
import { setAside } from "../../git/aside.ts";
import { listCheckpoints, writeCheckpoint } from "../../git/checkpoint.ts";
import { headOf, isAncestor, LONG } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import type { Checkpoint } from "../../run/undo.ts";
import { findGit, readBranch } from "../../store/git-files.ts";
import { readAllEntries, readGlance, readTasks } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import type { Job } from "../jobs.ts";
import type { Trunk } from "./trunk.ts";

/**
 * Notes where an attempt begins, or refuses: without that, we could not tell which work is its own. The checkpoints of a
 * group are made when it is handed out. In a single tree its tasks follow each other, so going back to that checkpoint
 * would lose the work of earlier tasks.
 */
export function noteStart(spec: Spec, { id, attempt }: Pick<Job, "id" | "attempt">): void {
  const isNoted = (): boolean => {
    const last = newest(spec, id);
    return last !== undefined && last.base === headOf(spec.project.root);
  };
  // Under a heavy load, git may not answer in time.
  for (let tries = 0; tries < TRIES; tries++) {
    if (isNoted()) return;
    writeCheckpoint(spec, id, attempt);
  }
  if (!isNoted())
    throw new Refusal("broken", `git cannot keep where ${id} begins`, "git fsck there says why");
}

const TRIES = 3;

/** Open tasks whose agents died with their run. A ticked task was settled, or is about to be checked again. */
export function listInterrupted(spec: Spec): string[] {
  const { last } = readGlance(spec);
  const out = last?.loop.open === true ? Object.values(last.loop.out) : [];
  const tasks = readTasks(spec);
  const open = new Set(
    tasks.kind === "ok" ? tasks.list.tasks.filter((one) => !one.checked).map(({ id }) => id) : [],
  );
  return [...new Set(out)].filter((id) => open.has(id));
}

/**
 * Keeps the changes of an unfinished attempt under a ref, and goes back to where it began. Work of its group that was
 * proven since then stays. Returns the ref, if there was anything to keep.
 */
export function rewindTo(spec: Spec, id: string): string | undefined {
  const checkpoint = newest(spec, id);
  if (checkpoint === undefined) return undefined;
  const kept = setAside(
    spec,
    isProvenSince(spec, checkpoint) ? atHead(spec, checkpoint) : checkpoint,
  );
  if (kept.kind === "failed")
    throw new Refusal("broken", `the unfinished work on ${id} cannot be set aside: ${kept.why}`);
  return kept.kind === "kept" ? kept.aside.ref : undefined;
}

/**
 * An agent may have switched branches or dropped commits. Moves what it did on top of `base` to the run's branch; if
 * earlier commits are missing, sets its work aside. Returns why the work is not accepted, if so.
 */
export function returnToBranch(
  trunk: Trunk,
  job: Pick<Job, "id">,
  base: string,
): string | undefined {
  const strayed = findStrayed(trunk, job, base);
  if (strayed !== undefined) rewindTo(trunk.spec, job.id);
  return strayed;
}

/** The same, but leaves it to the caller to set the work aside. */
export function findStrayed(
  { top, branch }: Pick<Trunk, "top" | "branch">,
  job: Pick<Job, "id">,
  base: string,
): string | undefined {
  const head = headOf(top);
  const isHere = readBranch(findGit(top)) === branch;
  const ref = `refs/heads/${branch}`;
  if (head !== undefined && isAncestor(top, base, head)) {
    if (isHere) return undefined;
    const { ok } = runGit(top, ["update-ref", ref, head, base]);
    if (ok && runGit(top, ["symbolic-ref", "HEAD", ref]).ok) return undefined;
  }
  // On a branch without a commit nothing can be set aside.
  if (head === undefined) {
    runGit(top, ["symbolic-ref", "HEAD", ref]);
    runGit(top, ["read-tree", base], LONG);
  }
  return isHere
    ? `${job.id} dropped commits that were there before it. They were restored, and its own work was set aside: do not rewrite history.`
    : `${job.id} left the branch ${branch}. Its work was set aside: stay on the branch.`;
}

const newest = (spec: Spec, id: string): Checkpoint | undefined =>
  listCheckpoints(spec).findLast(({ task }) => task === id);

const isProvenSince = (spec: Spec, { at }: Checkpoint): boolean =>
  readAllEntries(spec).some((entry) => entry.event === "done" && entry.at > at);

function atHead(spec: Spec, checkpoint: Checkpoint): Checkpoint {
  const head = headOf(spec.project.root) ?? checkpoint.base;
  return { ...checkpoint, base: head, commit: head };
}

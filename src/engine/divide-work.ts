import { basename, join } from "node:path";
import { isOnlyStanding } from "../git/notes.ts";
import type { Repository } from "../git/repository.ts";
import { planNames, touched, type WorkTree } from "../git/working-tree.ts";
import type { Checkpoint } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";
import { DRIVING_FILES } from "./find-change.ts";

/** What a task is compared with. */
export type Start = Pick<Checkpoint, "at" | "dirty">;

/** Divides uncommitted changes into those since the checkpoint and older ones, without our own bookkeeping. */
export function divideWork(
  spec: Spec,
  repository: Repository,
  tree: WorkTree,
  {
    latest,
    start,
    there,
    owed,
    commitSpec,
  }: {
    readonly latest: Checkpoint | undefined;
    readonly start: Start | undefined;
    /** Uncommitted when its first agent came. */
    readonly there: ReadonlySet<string>;
    /** The task answers for these whenever they were changed. */
    readonly owed: ReadonlySet<string>;
    readonly commitSpec: boolean;
  },
): { readonly mine: string[]; readonly others: string[] } {
  const { top } = repository.git;
  const before = new Set(start?.dirty);
  // We write the notes too: if they were uncommitted when the attempt began, nobody answers for them.
  for (const name of latest?.dirty ?? []) if (repository.isOwn(name)) before.add(name);
  // Without a list of what was uncommitted then, nobody is blamed.
  const isBlind = start?.dirty === undefined;
  const isOurs = planBookkeeping(spec, repository, commitSpec ? tree.dirty : []);
  const shown = planNames(top, spec.project.root);
  const isOld = (name: string): boolean =>
    isBlind ||
    before.has(name) ||
    there.has(shown(name)) ||
    // An untracked file may be older than the checkpoint, whose list is cut at some length.
    (!tree.dirty.includes(name) && !touched(join(top, name), start.at));
  const isMine = (name: string): boolean => !isOld(name) || owed.has(shown(name));
  const names = [...tree.dirty, ...tree.untracked].filter((name) => !isOurs(name));
  return {
    mine: names.filter(isMine).map(shown),
    // Notes and documents do not affect a Verify.
    others: names.filter((name) => !isMine(name) && !repository.isOwn(name)).map(shown),
  };
}

/** Never a task's work: state, journal, boxes and pointers, and the spec's own files unless they are to be committed. */
export function planBookkeeping(
  spec: Spec,
  repository: Repository,
  committed: readonly string[],
): (name: string) => boolean {
  const { isOwn } = repository;
  const list = basename(spec.tasks);
  return (name) => {
    if (!isOwn(name)) return DRIVING_FILES.has(basename(name));
    return (
      basename(name) === list ||
      DRIVING_FILES.has(basename(name)) ||
      !committed.includes(name) ||
      isOnlyStanding(spec, repository, name)
    );
  };
}

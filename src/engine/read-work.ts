import { basename, join } from "node:path";
import { findProgram } from "../exec/program.ts";
import { readCheckpoints } from "../git/checkpoint.ts";
import { isOnlyStanding } from "../git/notes.ts";
import type { HiddenFile } from "../git/overlooked.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import type { StrayLink } from "../git/stray-links.ts";
import {
  lookAtTree,
  planNames,
  readWorkTree,
  touched,
  type WorkTree,
} from "../git/working-tree.ts";
import { layouts } from "../layouts/all.ts";
import type { Tree } from "../run/claim/evidence.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import { pickOwnWork } from "../run/claim/own-work.ts";
import { isSettled } from "../run/claim/receipt.ts";
import type { Entry } from "../run/journal.ts";
import { type Checkpoint, findStart, selectCurrent } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { findHidden } from "./find-hidden.ts";
import { findLinks } from "./find-links.ts";
import { findNeighbour } from "./neighbours.ts";

/** What is uncommitted when a task is reported, and whose it is. Names are relative to the project. */
export interface Work {
  readonly tree: Tree;
  /** The task's own. */
  readonly uncommitted: readonly string[];
  /** Everything else: uncommitted before the task began, or another agent's at this moment. */
  readonly dirty: readonly string[];
  /** Of those, what may be the user's and has not been named yet; only with `edited`. */
  readonly leftAlone: readonly string[];
  /** Nothing was committed since the task began, and nothing is left uncommitted. */
  readonly isUntouched: boolean;
  /** Links that the task made to files outside the repository, or to untracked ones. */
  readonly links: readonly StrayLink[];
  /** Files that git was told to overlook since the task began, if they were looked for. */
  readonly hidden: readonly HiddenFile[];
  /** Why git could not tell any of this, if so. Then nothing may pass. */
  readonly unread?: string;
}

/** How many files are named; more would only fill the journal and the prompt. */
export const MAX_NAMED = 10;

/** All of them go into the journal, so that no later task answers for them. */
const MAX_LEFT_ALONE = 1000;

const NO_GIT: Work = {
  tree: "no-git",
  uncommitted: [],
  dirty: [],
  leftAlone: [],
  isUntouched: false,
  links: [],
  hidden: [],
};

/**
 * Compares the work tree with the checkpoint of the task's first attempt: what lay uncommitted before it began is never
 * blamed on it. The last task of a list answers for what the whole run left behind.
 */
export function readWork(
  spec: Spec,
  list: TaskList,
  task: Task,
  entries: readonly Entry[],
  {
    commitSpec,
    isCommitted = true,
    seeksHidden = false,
    edited,
  }: {
    readonly commitSpec: boolean;
    /** Whether work has to be committed. */
    readonly isCommitted?: boolean;
    /** Whether to look for work that git was told to overlook. */
    readonly seeksHidden?: boolean;
    /** What the task's agents named with their edit tools, if the user works in the same tree. */
    readonly edited?: ReadonlySet<string> | undefined;
  },
): Work {
  const repository = findRepository(spec);
  // Without git, there is nothing to commit to.
  if (repository === undefined || findProgram("git") === undefined) return NO_GIT;
  const { top } = repository.git;
  const tree = lookAtTree(top, { untracked: true, ignored: seeksHidden, unborn: true });
  if ("unread" in tree) return { ...NO_GIT, ...tree };
  const known = readCheckpoints(repository);
  if ("unread" in known) return { ...NO_GIT, ...known };
  const isLast = list.tasks.every((one) => one.checked || one.index === task.index);
  const checkpoints = selectCurrent(known, entries);
  // Git may have failed when the task was handed out: then the task answers for all changes since the first checkpoint.
  const own = findStart(checkpoints, task.id, entries) ?? checkpoints[0];
  const first = isLast ? checkpoints[0] : own;
  const start = tree.head === "" ? startOf(entries) : first;
  const latest = checkpoints.findLast((one) => one.task === task.id);
  const { mine, others } = divide(spec, repository, tree, { latest, start }, commitSpec);
  const peers = groupOf(list, task).filter(
    (one) => one.index !== task.index && !isSettled(entries, one),
  );
  const lists = planCover(parseFiles(list, task));
  const left = new Set(entries.flatMap((entry) => entry.left ?? []));
  const isAlone = peers.length === 0 && findNeighbour(spec) === undefined;
  // While others work beside it, only what it lists is surely its own; the last to report answers for the rest. Files
  // that our own commands left are nobody's work.
  const covers = (name: string): boolean => lists(name) || (isAlone && !left.has(name));
  const shown = planNames(top, spec.project.root);
  const before = new Set(edited && own?.dirty?.map(shown));
  const notes = new Set(tree.dirty.filter(repository.isOwn).map(shown));
  const { mine: uncommitted, rest } = pickOwnWork({
    names: mine,
    dirty: before,
    isListed: edited === undefined ? covers : (name) => lists(name) || notes.has(name),
    edited: edited ?? new Set(),
  });
  const dirty = [...others, ...rest];
  const isNews = (name: string): boolean => !before.has(name) && !left.has(name);
  const links = findLinks(spec, repository, {
    since: own,
    names: uncommitted,
    files: parseFiles(list, task),
    covers,
    untracked: !isCommitted,
  });
  if ("unread" in links) return { ...NO_GIT, ...links };
  const hidden = findHidden(spec, repository, tree, {
    start: first,
    own,
    files: parseFiles(list, task),
    isBookkeeping: planBookkeeping(spec, repository, []),
  });
  if ("unread" in hidden) return { ...NO_GIT, ...hidden };
  return {
    tree: uncommitted.length > 0 ? "uncommitted" : dirty.length > 0 ? "dirty" : "clean",
    uncommitted,
    dirty,
    leftAlone: edited === undefined ? [] : rest.filter(isNews).slice(0, MAX_LEFT_ALONE),
    isUntouched: own?.base === tree.head && uncommitted.length === 0 && peers.length === 0,
    links,
    hidden,
  };
}

type Start = Pick<Checkpoint, "at" | "dirty">;

/** Before the first commit there are no checkpoints: everything changed since the run began counts. */
export function startOf(entries: readonly Entry[]): Start | undefined {
  const began = entries.findLast(({ event }) => event === "start");
  return began && { at: began.at, dirty: [] };
}

/** Every file that is uncommitted and not ignored, except the spec's own. Undefined if git cannot tell. */
export function listUncommitted(spec: Spec): string[] | undefined {
  const repository = findRepository(spec);
  const { top = "" } = repository?.git ?? {};
  const tree = repository && readWorkTree(top, { untracked: true });
  if (repository === undefined || tree === undefined) return undefined;
  const names = [...tree.dirty, ...tree.untracked].filter((name) => !repository.isOwn(name));
  return names.map(planNames(top, spec.project.root));
}

/** Divides uncommitted changes into those since the checkpoint and older ones, without our own bookkeeping. */
function divide(
  spec: Spec,
  repository: Repository,
  tree: WorkTree,
  { latest, start }: { readonly latest: Checkpoint | undefined; readonly start: Start | undefined },
  commitSpec: boolean,
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
    // An untracked file may be older than the checkpoint, whose list is cut at some length.
    (!tree.dirty.includes(name) && !touched(join(top, name), start.at));
  const names = [...tree.dirty, ...tree.untracked].filter((name) => !isOurs(name));
  return {
    mine: names.filter((name) => !isOld(name)).map(shown),
    // Notes and documents do not affect a Verify.
    others: names.filter((name) => isOld(name) && !repository.isOwn(name)).map(shown),
  };
}

/** Never a task's work: state, journal, boxes and pointers, and the spec's own files unless they are to be committed. */
export function planBookkeeping(
  spec: Spec,
  repository: Repository,
  committed: readonly string[],
): (name: string) => boolean {
  const { isOwn } = repository;
  const files = new Set([
    basename(spec.tasks),
    ...layouts.flatMap(({ stateFile, journalFile, lockFile, pointer }) => [
      stateFile,
      journalFile,
      lockFile,
      pointer,
    ]),
  ]);
  return (name) => {
    if (!isOwn(name)) return files.has(basename(name)) && basename(name) !== basename(spec.tasks);
    return (
      files.has(basename(name)) ||
      !committed.includes(name) ||
      isOnlyStanding(spec, repository, name)
    );
  };
}

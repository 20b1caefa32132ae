import { findProgram } from "../exec/program.ts";
import { readCheckpoints } from "../git/checkpoint.ts";
import type { HiddenFile } from "../git/overlooked.ts";
import { findRepository } from "../git/repository.ts";
import type { StrayLink } from "../git/stray-links.ts";
import { lookAtTree, planNames, readWorkTree } from "../git/working-tree.ts";
import { listDisowned } from "../run/claim/disowned.ts";
import type { Tree } from "../run/claim/evidence.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import { pickOwnWork } from "../run/claim/own-work.ts";
import { isSettled } from "../run/claim/settled.ts";
import { sinceEnded } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";
import { type Checkpoint, findStart, selectCurrent } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { divideWork, planBookkeeping, type Start } from "./divide-work.ts";
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
  /** Of those, what is worth a note: what may be the user's and has not been named yet, and what its agents disowned. */
  readonly leftAlone: readonly string[];
  /** Of those, what the report says is not the task's. */
  readonly disowned: readonly string[];
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
  disowned: [],
  links: [],
  hidden: [],
};

/**
 * Compares the work tree with the checkpoint of the task's first attempt: what lay uncommitted before it began, or when
 * its first agent came, is never blamed on it. The last task of a list answers for what any attempt was seen to leave.
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
    report = null,
  }: {
    readonly commitSpec: boolean;
    /** Whether work has to be committed. */
    readonly isCommitted?: boolean;
    /** Whether to look for work that git was told to overlook. */
    readonly seeksHidden?: boolean;
    /** What the task's agents named with their edit tools, if the user works in the same tree. */
    readonly edited?: ReadonlySet<string> | undefined;
    /** What its agent says, who may disown files that neither its Files nor its edit tools name. */
    readonly report?: string | null;
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
  const about = sinceEnded(entries.filter((entry) => entry.task === task.id));
  const left = new Set(leftIn(entries));
  const { mine, others } = divideWork(spec, repository, tree, {
    latest: checkpoints.findLast((one) => one.task === task.id),
    start: tree.head === "" ? startOf(entries) : own,
    there: new Set(leftIn(about.filter(({ event }) => event === "delegated"))),
    owed: isLast ? listOwed(entries, checkpoints[0], left) : new Set(),
    commitSpec,
  });
  const peers = groupOf(list, task).filter(
    (one) => one.index !== task.index && !isSettled(entries, one),
  );
  const lists = planCover(parseFiles(list, task));
  const isAlone = peers.length === 0 && findNeighbour(spec) === undefined;
  // While others work beside it, only what it lists is surely its own; the last to report answers for the rest. Files
  // that our own commands left are nobody's work.
  const covers = (name: string): boolean => lists(name) || (isAlone && !left.has(name));
  const shown = planNames(top, spec.project.root);
  const before = new Set(edited && own?.dirty?.map(shown));
  const notes = new Set(tree.dirty.filter(repository.isOwn).map(shown));
  const found = pickOwnWork({
    names: mine,
    dirty: before,
    isListed: edited === undefined ? covers : (name) => lists(name) || notes.has(name),
    edited: edited ?? new Set(),
  });
  const disowned = listDisowned(
    report ?? "",
    found.mine.filter((name) => !lists(name) && edited?.has(name) !== true),
    new Set(about.flatMap((entry) => entry.uncommitted ?? [])),
  );
  const uncommitted = found.mine.filter((name) => !disowned.includes(name));
  const rest = [...found.rest, ...disowned];
  const dirty = [...others, ...rest];
  const told = new Set([...disowned, ...leftIn(about.filter(({ event }) => event === "refused"))]);
  const isNews = (name: string): boolean =>
    told.has(name) || (edited !== undefined && !before.has(name) && !left.has(name));
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
    leftAlone: rest.filter(isNews).slice(0, MAX_LEFT_ALONE),
    disowned,
    links,
    hidden,
  };
}

const leftIn = (entries: readonly Entry[]): string[] => entries.flatMap(({ left = [] }) => left);

/** What attempts of this run were seen to leave uncommitted, and nobody has disowned. */
function listOwed(
  entries: readonly Entry[],
  first: Checkpoint | undefined,
  left: ReadonlySet<string>,
): Set<string> {
  const named = entries
    .filter(({ at }) => first !== undefined && at >= first.at)
    .flatMap(({ uncommitted = [] }) => uncommitted);
  return new Set(named.filter((name) => !left.has(name)));
}

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

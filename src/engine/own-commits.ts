import { findProgram } from "../exec/program.ts";
import { readCheckpoints } from "../git/checkpoint.ts";
import { readRange } from "../git/commit-range.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import { planNames } from "../git/working-tree.ts";
import { worksItself } from "../layouts/layout.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import { type Beside, type Candidate, lastOf, pickOwnCommits } from "../run/claim/own-commits.ts";
import { SETTLED } from "../run/claim/settled.ts";
import type { Entry } from "../run/journal.ts";
import { isRunner } from "../run/runner-session.ts";
import { type Checkpoint, findStart, selectCurrent } from "../run/undo.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { planBookkeeping } from "./divide-work.ts";
import { findNeighbour } from "./neighbours.ts";
import { startOf } from "./read-work.ts";
import type { Run } from "./with-run.ts";

/**
 * The commits that are a task's own, as the journal records them. `since`: where the branch was before only this task's
 * work was brought in. Undefined if git cannot tell, or nobody can.
 */
export function readOwnCommits(
  run: Run,
  task: Task,
  since?: string,
): readonly string[] | undefined {
  const { spec, list } = run;
  const repository = findRepository(spec);
  if (repository === undefined || findProgram("git") === undefined) return undefined;
  if (since !== undefined) {
    const brought = readWorkOf(spec, repository, since);
    return brought && lastOf(brought.filter(({ files }) => files.length > 0));
  }
  const entries = readAllEntries(spec);
  const known = readCheckpoints(repository);
  if ("unread" in known) return undefined;
  const checkpoints = selectCurrent(known, entries);
  const first = checkpoints.find((one) => one.task === task.id);
  const start = findStart(checkpoints, task.id, entries);
  const from = first ?? checkpoints[0];
  // Before the first commit there are no checkpoints.
  const begun = from ?? startOf(entries);
  if (begun === undefined) return undefined;
  const own = entries.filter((one) => one.task === task.id);
  const settled = own.findLast(({ event }) => SETTLED.has(event));
  const isOver = settled !== undefined && (start === undefined || start.at < settled.at);
  if (isOver && settled.commits === undefined) return undefined;
  const isOlder = own.some(({ at, commits = [] }) => commits.length > 0 && at < begun.at);
  const range = readWorkOf(spec, repository, isOlder ? "" : (from?.base ?? ""));
  if (range === undefined) return undefined;
  const files = parseFiles(list, task);
  const others = list.tasks.filter(({ index }) => index !== task.index);
  // Without a checkpoint of its own, it was done in another task's turn.
  const isAhead = first === undefined && from !== undefined;
  const siblings = isAhead ? others : siblingsOf(run, task, entries, checkpoints);
  return pickOwnCommits({
    task: task.id,
    entries,
    range,
    since: isOver ? null : Math.floor(Date.parse((start ?? begun).at) / 1000),
    covers: files.length === 0 ? undefined : planCover(files),
    beside: besideOf(spec, list, siblings),
  });
}

/** The commits since then, each with the files that are some task's work. */
function readWorkOf(spec: Spec, repository: Repository, base: string): Candidate[] | undefined {
  const { top } = repository.git;
  const isOurs = planBookkeeping(spec, repository, []);
  const shown = planNames(top, spec.project.root);
  return readRange(top, base)?.map(({ commit, time, files }) => ({
    commit,
    time,
    files: files.filter((name) => !isOurs(name)).map(shown),
  }));
}

/** The tasks of its group whose agents were out at the same time. `run` gives each its own tree, or its own turn. */
function siblingsOf(
  { spec, list, loop }: Run,
  task: Task,
  entries: readonly Entry[],
  checkpoints: readonly Checkpoint[],
): Task[] {
  if (worksItself(spec.project.layout) || isRunner(loop.session ?? "")) return [];
  const sent = entries.find((one) => one.task === task.id && one.event === "delegated")?.at ?? "";
  const wasOver = (id: string): boolean =>
    entries.some((one) => one.task === id && SETTLED.has(one.event) && one.at < sent);
  const wasOut = (id: string): boolean =>
    checkpoints.length === 0 || checkpoints.some((one) => one.task === id);
  return groupOf(list, task).filter(({ id }) => id !== task.id && wasOut(id) && !wasOver(id));
}

/** Whoever else commits to this tree. */
function besideOf(spec: Spec, list: TaskList, siblings: readonly Task[]): Beside | undefined {
  const found = findNeighbour(spec);
  if (siblings.length === 0 && found === undefined) return undefined;
  const neighbour = found && specAt(found.project, found.folder);
  const theirs = neighbour && readTasks(neighbour);
  const listed = [
    ...siblings.map((one) => parseFiles(list, one)),
    ...(theirs?.kind === "ok" ? theirs.list.tasks.map((one) => parseFiles(theirs.list, one)) : []),
  ];
  return {
    tasks: new Set(siblings.map(({ id }) => id)),
    covers: planCover([...listed.flat(), ...(neighbour === undefined ? [] : [neighbour.basePath])]),
    isOpen:
      listed.some((files) => files.length === 0) || (theirs !== undefined && theirs.kind !== "ok"),
    commits: new Set(
      (neighbour ? readAllEntries(neighbour) : []).flatMap(({ commits = [] }) => commits),
    ),
  };
}

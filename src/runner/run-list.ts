import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { Refusal } from "../engine/refusal.ts";
import { faultIn, statOf } from "../store/read.ts";
import { realPathOf } from "../store/vault-place.ts";
import type { EventKind } from "./events.ts";
import { openEvents } from "./read-events.ts";
import { isLive, isRunId, readRun, type RunFolder, runsFolder } from "./run-files.ts";

/** Far more than are kept. */
const MAX_RUNS = 1000;

function namesIn(folder: string): string[] {
  let names: string[] = [];
  faultIn(() => {
    names = readdirSync(folder);
  });
  return names;
}

/** Newest first; of one project, if one is given. */
export function listRuns(runs: string | undefined = runsFolder(), project?: string): RunFolder[] {
  if (runs === undefined) return [];
  return namesIn(runs)
    .filter(isRunId)
    .sort()
    .slice(-MAX_RUNS)
    .flatMap((id) => readRun(runs, id) ?? [])
    .filter(
      ({ info }) =>
        project === undefined || isWithin(project, info.project) || isWithin(project, info.tree),
    )
    .sort((a, b) => compare(b.info.began, a.info.began) || compare(b.info.run, a.info.run));
}

/** A project may be a folder in a repository. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(realPathOf(folder), realPathOf(path));
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A run emits these once it has its spec and gets to work. A start that is refused emits neither. */
const AT_WORK: ReadonlySet<EventKind> = new Set(["plan", "attempt-started"]);

export const isAtWork = ({ kind }: { readonly kind: EventKind }): boolean => AT_WORK.has(kind);

/** Whether the run ever got to work, by the beginning of its log. */
const gotToWork = (run: RunFolder): boolean => openEvents(run).next().some(isAtWork);

/**
 * The run that is meant if none is named: live runs before ended ones, and runs that got to work before starts that were
 * refused.
 */
export const newestOf = (found: readonly RunFolder[]): RunFolder | undefined => {
  const live = found.filter(isLive);
  return live.find(gotToWork) ?? live[0] ?? found.find(gotToWork) ?? found[0];
};

/**
 * Finds a run by its id, the beginning of its id, or the name of its spec. Without a word, the newest: of the project, if
 * it has any.
 */
export function findRun(
  word: string | undefined,
  project: string | undefined,
  runs: string | undefined = runsFolder(),
): RunFolder {
  const all = listRuns(runs);
  const own = project === undefined ? all : listRuns(runs, project);
  const candidates = own.length > 0 ? own : all;
  if (word === undefined) {
    const found = newestOf(candidates);
    if (found !== undefined) return found;
    throw new Refusal(
      "missing",
      "no run is recorded on this machine",
      'start one: smart-ralph run "what you want to build"',
    );
  }
  const isOf = ({ info }: RunFolder): boolean => info.specs.includes(word);
  const ofSpec = newestOf(own.filter(isOf)) ?? newestOf(all.filter(isOf));
  const exact = all.find(({ info }) => info.run === word) ?? ofSpec;
  if (exact !== undefined) return exact;
  const beginning = word === "" ? [] : all.filter(({ info }) => info.run.startsWith(word));
  const [only, second] = beginning;
  if (only !== undefined && second === undefined) return only;
  const names = (second === undefined ? candidates : beginning).slice(0, 5).map(describe);
  const known = names.length === 0 ? "none" : names.join(", ");
  throw second === undefined
    ? new Refusal("missing", `there is no run "${word}"`, `the newest: ${known}`)
    : new Refusal(
        "usage",
        `"${word}" is the beginning of more than one run`,
        `say which: ${known}`,
      );
}

const describe = ({ info }: RunFolder): string =>
  `${info.run}${info.specs.length === 0 ? "" : ` (${info.specs.slice(0, 3).join(", ")})`}`;

const HOUR_MS = 3_600_000;

const KEPT = { runs: 20, bytes: 200 << 20 } as const;

/** Removes damaged runs and the oldest beyond the bounds, but never a live one. Returns the ids of the removed runs. */
export function pruneRuns(
  runs: string | undefined = runsFolder(),
  kept: { readonly runs: number; readonly bytes: number } = KEPT,
): string[] {
  if (runs === undefined) return [];
  const known = listRuns(runs);
  const damaged = namesIn(runs)
    .filter((name) => isRunId(name) && !known.some(({ info }) => info.run === name))
    .map((name) => join(runs, name))
    // A run that is just being created has no file yet.
    .filter((folder) => Date.now() - (statOf(folder)?.mtimeMs ?? 0) > HOUR_MS);
  let bytes = 0;
  const old = known.flatMap((run, i) => {
    bytes += sizeOf(run.folder);
    return !isLive(run) && (i >= kept.runs || (i > 0 && bytes > kept.bytes)) ? [run.folder] : [];
  });
  return [...old, ...damaged].flatMap((folder) => {
    const fault = faultIn(() => rmSync(folder, { recursive: true, force: true }));
    return fault === undefined ? [basename(folder)] : [];
  });
}

const MAX_FILES = 10_000;

/** The size of all files in a folder; links are not followed. */
function sizeOf(folder: string): number {
  let size = 0;
  faultIn(() => {
    for (const name of readdirSync(folder, { recursive: true }).slice(0, MAX_FILES))
      size += lstatSync(join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0;
  });
  return size;
}

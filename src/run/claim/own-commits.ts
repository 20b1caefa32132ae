import type { Entry } from "../journal.ts";
import { SETTLED } from "./settled.ts";

/** A commit in the range in which a task's own must be. Names are relative to the project. */
export interface Candidate {
  readonly commit: string;
  /** In seconds since 1970. */
  readonly time: number;
  /** The files that it changes, without bookkeeping. */
  readonly files: readonly string[];
}

type Covers = (name: string) => boolean;

/** Who else committed to the same tree while the task was worked on. */
export interface Beside {
  /** Their ids, if they are tasks of the same list. */
  readonly tasks: ReadonlySet<string>;
  /** Covers what their Files list. */
  readonly covers: Covers;
  /** Whether one of them lists no Files: then any commit may be its own. */
  readonly isOpen: boolean;
  /** What was recorded as their own, besides what the journal says. */
  readonly commits: ReadonlySet<string>;
}

export interface OwnFacts {
  readonly task: string;
  readonly entries: readonly Entry[];
  /** Oldest first, from where the task was first handed out. */
  readonly range: readonly Candidate[];
  /** When it was handed out, the last time that it began again; null if that was before it was last settled. */
  readonly since: number | null;
  /** Undefined if it lists no Files. */
  readonly covers: Covers | undefined;
  /** Undefined if it had the tree to itself. */
  readonly beside: Beside | undefined;
}

/** More would only fill the journal. */
const MAX_OWN = 50;

export const lastOf = (commits: readonly Pick<Candidate, "commit">[]): string[] =>
  commits.slice(-MAX_OWN).map(({ commit }) => commit);

/**
 * The task's own commits, oldest first. A commit that is older than the task came with a merge or a pull. Where others
 * commit to the same tree, a task's Files say which are its own; undefined if nothing does.
 */
export function pickOwnCommits(facts: OwnFacts): string[] | undefined {
  const { task, entries, since, covers, beside } = facts;
  const others = entries.filter((entry) => entry.task !== task);
  const recorded = commitsIn(others);
  // Of a file that two tasks list, both may name the commit.
  const taken = commitsIn(
    others.filter(
      ({ event, task: other = "" }) => SETTLED.has(event) && beside?.tasks.has(other) !== true,
    ),
  );
  const undone = entries.findLastIndex((entry) => entry.task === task && entry.event === "undone");
  const mine = commitsIn(entries.slice(undone + 1).filter((entry) => entry.task === task));
  const isNew = ({ commit, time, files }: Candidate): boolean => {
    if (files.length === 0 || since === null || time < since) return false;
    if (beside === undefined) return !recorded.has(commit);
    if (covers !== undefined) return !taken.has(commit) && files.some(covers);
    const isTheirs = recorded.has(commit) || beside.commits.has(commit);
    return !isTheirs && !files.some(beside.covers);
  };
  const own = facts.range.filter(
    (one) => (mine.has(one.commit) && !taken.has(one.commit)) || isNew(one),
  );
  const isClear = covers !== undefined || beside?.isOpen !== true;
  return isClear || own.every(({ commit }) => mine.has(commit)) ? lastOf(own) : undefined;
}

const commitsIn = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(({ commits = [] }) => commits));

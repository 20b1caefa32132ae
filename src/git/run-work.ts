import type { RunWork } from "../facts/summary.ts";
import type { Entry } from "../run/journal.ts";
import { selectCurrent } from "../run/undo.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { listCheckpoints } from "./checkpoint.ts";
import { countRange, type RangeCommit, readRange } from "./commit-range.ts";
import { findRepository } from "./repository.ts";
import { isInHistory } from "./reset-to-checkpoint.ts";
import { linesOf, runGit } from "./run.ts";

const MAX_MOVES = 1000;

/** What the current run, or the last one, left in git; undefined if nothing was handed out here. */
export function readRunWork(spec: Spec, entries: readonly Entry[]): RunWork | undefined {
  const repository = findRepository(spec);
  if (repository === undefined) return undefined;
  const end = entries.findLastIndex(({ event }) => event !== "finished");
  const start = selectCurrent(listCheckpoints(spec), entries.slice(0, end + 1)).find((one) =>
    isInHistory(repository, one),
  );
  if (start === undefined) return undefined;
  const { top } = repository.git;
  const branch = readBranch(findGit(top));
  const { base, task } = start;
  const from = branch === undefined ? undefined : findOrigin(top, branch);
  const all = readRange(top, base);
  if (all === undefined) return undefined;
  const isWork = ({ files }: RangeCommit): boolean =>
    files.length === 0 || !files.every(repository.isOwn);
  // What follows is the end of the run, which commits the page that says this.
  const shown = all.slice(0, all.findLastIndex(isWork) + 1);
  const commits = shown.filter(isWork).map(({ commit, subject }) => ({ commit, subject }));
  const head = commits.at(-1)?.commit ?? base;
  const total = countRange(top, base, head);
  return {
    branch,
    from,
    base,
    head,
    task,
    total,
    onlySpec: shown.length - commits.length,
    commits,
  };
}

/** Newest first. */
const readMoves = (top: string, ref: string): string[] =>
  linesOf(runGit(top, ["log", "-g", `--max-count=${MAX_MOVES}`, "--format=%gs", ref]).out);

const MOVE = "checkout: moving from ";
const RENAMED = /^Branch: renamed refs\/heads\/(\S+) to /;

/**
 * The branch that was checked out before this one was created, as git's reflog says until it expires. A branch that was
 * not created from another one, usually `main`, has none.
 */
function findOrigin(top: string, branch: string): string | undefined {
  const own = readMoves(top, `refs/heads/${branch}`);
  if (own.at(-1)?.startsWith("branch: Created from ") !== true) return undefined;
  const names = [branch, ...own.flatMap((line) => RENAMED.exec(line)?.[1] ?? [])];
  const first = readMoves(top, "HEAD").findLast(
    (line) => line.startsWith(MOVE) && names.some((name) => line.endsWith(` to ${name}`)),
  );
  const from = first?.slice(MOVE.length, first.lastIndexOf(" to "));
  if (from === undefined || names.includes(from)) return undefined;
  return runGit(top, ["rev-parse", "--verify", "--quiet", `refs/heads/${from}`]).ok
    ? from
    : undefined;
}

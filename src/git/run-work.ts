import type { Entry } from "../run/journal.ts";
import type { RunWork } from "../run/summary.ts";
import { selectCurrent } from "../run/undo.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { listCheckpoints } from "./checkpoint.ts";
import { findRepository, type Repository } from "./repository.ts";
import { isInHistory } from "./reset-to-checkpoint.ts";
import { namesOf, runGit } from "./run.ts";

/** Nobody would read more. */
const MAX_COMMITS = 500;
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
  const branch = readBranch(findGit(repository.git.top));
  const { base, task } = start;
  const from = branch === undefined ? undefined : findOrigin(repository.git.top, branch);
  return { branch, from, base, task, commits: listWork(repository, base) };
}

/** Newest first. */
const readMoves = (top: string, ref: string): string[] =>
  runGit(top, ["log", "-g", `--max-count=${MAX_MOVES}`, "--format=%gs", ref])
    .out.split("\n")
    .filter((line) => line !== "");

/** Commits that changed something besides the spec's own files. */
export function listWork(
  { git, isOwn }: Repository,
  base: string,
  end = "HEAD",
): RunWork["commits"] {
  const options = ["-z", "--reverse", "--no-renames", "--name-only", "--format=%x01%H %s"];
  const range = [`--max-count=${MAX_COMMITS}`, `${base}..${end}`, "--"];
  const { out } = runGit(git.top, ["log", ...options, ...range]);
  return out
    .split("\u0001")
    .slice(1)
    .flatMap((record) => {
      const [head = "", ...names] = namesOf(record);
      const [commit = "", ...words] = head.trimEnd().split(" ");
      const isOurs = names.length > 0 && names.every((name) => isOwn(name.trim()));
      return isOurs ? [] : [{ commit, subject: words.join(" ") }];
    });
}

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

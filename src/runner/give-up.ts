import type { Evidence } from "../run/claim/evidence.ts";
import { findTrial } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";

/** An attempt that counted, for what it says about the agent that made it. */
export interface Tried {
  /** With the name of its spec before it. */
  readonly task: string;
  /** As `--agent` names it, with its model. */
  readonly by: string;
  /** The text of its task's Verify, if it has one. */
  readonly verify?: string | undefined;
  /** Undefined if the task is done. */
  readonly failed?: {
    /** It has changed nothing that its task is about. */
    readonly isIdle: boolean;
    /** It is idle, or its task names no files and its Verify has not noticed any change. */
    readonly isUnnoticed: boolean;
    /** Why, without the id of its task. */
    readonly why: string;
  };
}

/** What the next attempt is at, and how many attempts a task has. */
export interface NextAttempt {
  readonly task: string;
  readonly attempts: number;
  readonly verify?: string | undefined;
}

/** How often an agent fails at a task in the same way, while there is another one to try. */
const SHARE = 2;

/**
 * The agents for the next attempt at a task, in the order in which they are tried. Those that have moved nothing in all
 * their attempts at two tasks are left out. If there were changes that no Verify noticed, or that were all refused with
 * the same words, a third task with another Verify gets an attempt first, because two tasks may lack the same database.
 * Those that have failed twice in a row at this task in the same way come last.
 */
export function orderAgents(
  tried: readonly Tried[],
  wanted: readonly string[],
  { task, attempts, verify }: NextAttempt,
): readonly string[] {
  const left = wanted.reduce<readonly string[]>((all, by) => {
    const share = all.length > 1 ? Math.min(SHARE, attempts) : attempts;
    return isHopeless(tried, by, share, verify) ? all.filter((one) => one !== by) : all;
  }, wanted);
  const isStuck = (by: string): boolean => failsAlike(tried, task, by);
  return [...left.filter((by) => !isStuck(by)), ...left.filter(isStuck).reverse()];
}

/** Why nobody is left for any attempt. */
export function tellGivenUp(tried: readonly Tried[], wanted: readonly string[]): string {
  const isIdle = wanted.every((by) => isIdleRow(longestRow(tried, by)));
  const what = isIdle ? "no attempt has moved anything" : "all attempts ended alike";
  return `${what}: ${tellAlike(tried, wanted)}; the next run tries again, and --agent names another agent or model`;
}

/** What the last attempts of each agent have in common. */
export function tellAlike(tried: readonly Tried[], wanted: readonly string[]): string {
  const whys = wanted.map((by) => {
    const row = longestRow(tried, by);
    const tasks = [...new Set(row.map(({ task }) => task.slice(task.indexOf(" ") + 1)))];
    const how = isIdleRow(row)
      ? "changed none of their files"
      : row.every(({ failed }) => failed?.why === row[0]?.failed?.why)
        ? `ended alike (${row.at(-1)?.failed?.why})`
        : "left their Verify as it was before the work";
    return `the last ${row.length} of ${by}, at ${tasks.join(" and ")}, ${how}`;
  });
  return whys.join("; ");
}

function longestRow(tried: readonly Tried[], by: string): readonly Tried[] {
  const alike = rowOf(tried, by, isAlike);
  const unnoticed = rowOf(tried, by, isUnnoticed);
  return unnoticed.length > alike.length ? unnoticed : alike;
}

const isIdleRow = (row: readonly Tried[]): boolean =>
  row.every(({ failed }) => failed?.isIdle === true);

/** An agent's last attempts, as far back as they are like the last one. */
function rowOf(tried: readonly Tried[], by: string, isLike: typeof isAlike): readonly Tried[] {
  const own = tried.filter((one) => one.by === by);
  const last = own.at(-1);
  return last === undefined ? [] : own.slice(own.findLastIndex((one) => !isLike(one, last)) + 1);
}

/** Whatever the task: both changed nothing, or both were refused with the same words. */
const isAlike = ({ failed: a }: Tried, { failed: b }: Tried): boolean =>
  a !== undefined && b !== undefined && ((a.isIdle && b.isIdle) || a.why === b.why);

const isUnnoticed = ({ failed: a }: Tried, { failed: b }: Tried): boolean =>
  a?.isUnnoticed === true && b?.isUnnoticed === true;

/** Tasks of a group are tried in turns, so attempts are counted, up to a task's share of each. */
function isHopeless(
  tried: readonly Tried[],
  by: string,
  share: number,
  verify: string | undefined,
): boolean {
  const count = (row: readonly Tried[]): number => {
    const tasks = row.map(({ task }) => task);
    const counts = [...new Set(tasks)].map((task) => tasks.filter((one) => one === task).length);
    return counts.reduce((sum, one) => sum + Math.min(one, share), 0);
  };
  const alike = rowOf(tried, by, isAlike);
  const isEnough = isIdleRow(alike) || alike.some((one) => one.verify === verify);
  return (
    (isEnough && count(alike) >= 2 * share) ||
    count(alike) > 2 * share ||
    count(rowOf(tried, by, isUnnoticed)) > 2 * share
  );
}

/**
 * Of a task's entries: whether its Verify fails after an attempt as it did before the work, or was not run because nobody
 * said it would pass, or what was said was refused before.
 */
export function leavesVerify(about: readonly Entry[], agentId: string): boolean {
  const before = findTrial(about)?.evidence;
  const after = about.findLast(({ agent, event }) => agent === agentId && event === "refused");
  if (before === undefined) return false;
  return after?.evidence === undefined || plain(after.evidence) === plain(before);
}

const plain = (evidence: readonly Evidence[]): string =>
  evidence
    .map(({ outcome, exitCode, tail }) => `${outcome} ${exitCode} ${withoutNumbers(tail)}`)
    .join("\n");

/** At one task, times and counts in what its Verify printed make no difference. */
export function failsAlike(tried: readonly Tried[], task: string, by: string): boolean {
  const [a, b] = tried.filter((one) => one.task === task && one.by === by).slice(-2);
  if (a === undefined || b === undefined) return false;
  return isAlike(a, b) || (plainWhy(a) !== undefined && plainWhy(a) === plainWhy(b));
}

const plainWhy = ({ failed }: Tried): string | undefined => failed && withoutNumbers(failed.why);

const withoutNumbers = (text: string): string => text.replace(/\d+/g, "0");

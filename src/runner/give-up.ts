/** An attempt that counted, for what it says about the agent that made it. */
export interface Tried {
  /** With the name of its spec before it. */
  readonly task: string;
  /** As `--agent` names it, with its model. */
  readonly by: string;
  /** Undefined if the task is done. */
  readonly failed?: {
    /** It has changed nothing that its task is about. */
    readonly isIdle: boolean;
    /** Why, without the id of its task. */
    readonly why: string;
  };
}

/** What the next attempt is at, and how many attempts a task has. */
export interface NextAttempt {
  readonly task: string;
  readonly attempts: number;
}

/** How often an agent fails at a task in the same way, while there is another one to try. */
const SHARE = 2;

/**
 * The agents for the next attempt at a task, in the order in which they are tried. Those that have moved nothing in all
 * their attempts at two tasks are left out: without anybody left, the run is over. Those that have failed twice in a row
 * at this task in the same way come last.
 */
export function orderAgents(
  tried: readonly Tried[],
  wanted: readonly string[],
  { task, attempts }: NextAttempt,
): readonly string[] {
  const left = wanted.reduce<readonly string[]>((all, by) => {
    const share = all.length > 1 ? Math.min(SHARE, attempts) : attempts;
    return movesNothing(rowOf(tried, by), share) ? all.filter((one) => one !== by) : all;
  }, wanted);
  const isStuck = (by: string): boolean => failsAlike(tried, task, by);
  return [...left.filter((by) => !isStuck(by)), ...left.filter(isStuck).reverse()];
}

/** Why nobody is left for an attempt. */
export function tellGivenUp(tried: readonly Tried[], wanted: readonly string[]): string {
  const whys = wanted.map((by) => {
    const row = rowOf(tried, by);
    const tasks = [...new Set(row.map(({ task }) => task.slice(task.indexOf(" ") + 1)))];
    const how = row.every(({ failed }) => failed?.isIdle === true)
      ? "changed none of their files"
      : `ended alike (${row.at(-1)?.failed?.why})`;
    return `the last ${row.length} of ${by}, at ${tasks.join(" and ")}, ${how}`;
  });
  return `no attempt has moved anything: ${whys.join("; ")}; the next run tries again, and --agent names another agent or model`;
}

/** An agent's last attempts, as far back as they failed in the same way. */
function rowOf(tried: readonly Tried[], by: string): readonly Tried[] {
  const own = tried.filter((one) => one.by === by);
  const last = own.at(-1);
  return last === undefined ? [] : own.slice(own.findLastIndex((one) => !isAlike(one, last)) + 1);
}

/** Whatever the task: both changed nothing, or both were refused with the same words. */
const isAlike = ({ failed: a }: Tried, { failed: b }: Tried): boolean =>
  a !== undefined && b !== undefined && ((a.isIdle && b.isIdle) || a.why === b.why);

/** Tasks of a group are tried in turns, so attempts are counted, up to a task's share of each. */
function movesNothing(row: readonly Tried[], share: number): boolean {
  const tasks = [...new Set(row.map(({ task }) => task))];
  const counts = tasks.map((task) => row.filter((one) => one.task === task).length);
  return counts.reduce((sum, count) => sum + Math.min(count, share), 0) >= 2 * share;
}

/** At one task, times and counts in what its Verify printed make no difference. */
export function failsAlike(tried: readonly Tried[], task: string, by: string): boolean {
  const [a, b] = tried.filter((one) => one.task === task && one.by === by).slice(-2);
  if (a === undefined || b === undefined) return false;
  return isAlike(a, b) || (plainWhy(a) !== undefined && plainWhy(a) === plainWhy(b));
}

const plainWhy = ({ failed }: Tried): string | undefined => failed?.why.replace(/\d+/g, "0");

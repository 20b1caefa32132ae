import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type ProcessInfo } from "./processes.ts";

/** Variables in the environment of every process of a run, and of one of its attempts. */
export const RUN_MARK = "SMART_RALPH_MARK";
export const ATTEMPT_MARK = "SMART_RALPH_ATTEMPT";

/** Processes may fork while we look. */
const MAX_ROUNDS = 40;
const PAUSE_MS = 25;
/** Listing all processes takes longer than some of them live; listing only new ones does not. */
const LOOKS_FOR_NEW = 3;

/**
 * Kills every process that has `name=value` in its environment, and what it started, until none is left. Returns how
 * many there were. Agents run their commands in separate sessions, which killing a process group does not reach, but
 * every child inherits the environment. On Windows environments cannot be read, so only the process tree is ended.
 */
export async function sweepMark(name: string, value: string): Promise<number> {
  const killed = new Set<string>();
  let clean = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const marked = endMarked(`${name}=${value}`);
    for (const { pid, began } of marked) killed.add(`${pid} ${began}`);
    clean = marked.length === 0 ? clean + 1 : 0;
    // If there was one, it may have just started another.
    if (clean > (killed.size > 0 ? 1 : 0)) break;
    await delay(PAUSE_MS);
  }
  return killed.size;
}

/** Looks at all processes once, then a few times at those that were started in the meantime. */
function endMarked(mark: string): ProcessInfo[] {
  const known = new Set<number>();
  const all: ProcessInfo[] = [];
  const ended = new Map<number, ProcessInfo>();
  for (let look = 0; look <= LOOKS_FOR_NEW; look++) {
    all.push(...listProcesses(mark, known));
    for (const one of pickMarked(all, process.pid)) {
      if (!ended.has(one.pid)) kill(one.pid);
      ended.set(one.pid, one);
    }
  }
  return [...ended.values()];
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended, or belongs to another user.
  }
}

/** Marked processes and their descendants, except this process and its ancestors. */
export function pickMarked(all: readonly ProcessInfo[], self: number): ProcessInfo[] {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const spared = new Set(lineOf(self, parents));
  const marked = new Set(all.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  return all.filter(
    ({ pid }) => !spared.has(pid) && lineUntil(pid, parents, spared).some((one) => marked.has(one)),
  );
}

/** A process and its ancestors. */
export function lineOf(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  for (let one: number | undefined = pid; one !== undefined && one > 0; one = parents.get(one)) {
    if (line.includes(one)) break;
    line.push(one);
  }
  return line;
}

/**
 * A process and its ancestors, up to the first one that is spared. In a run inside a run, our ancestors are marked too,
 * but that must not make us sweep our own children.
 */
function lineUntil(
  pid: number,
  parents: ReadonlyMap<number, number>,
  spared: ReadonlySet<number>,
): number[] {
  const line = lineOf(pid, parents);
  const end = line.findIndex((one) => spared.has(one));
  return end === -1 ? line : line.slice(0, end);
}

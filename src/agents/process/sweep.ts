import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, type Seen } from "./processes.ts";

/** In the environment of every process of a run, and of one attempt in it. */
export const RUN_MARK = "SMART_RALPH_MARK";
export const ATTEMPT_MARK = "SMART_RALPH_ATTEMPT";

/** They may fork while we look. */
const MAX_ROUNDS = 40;
const PAUSE_MS = 25;
/** To look at all takes longer than some processes live; to look at the new ones does not. */
const LOOKS_FOR_NEW = 3;

/**
 * Kills every process that carries `name=value` in its environment, and what such a process has started, until there is
 * none. Returns how many there were. Agents put their commands into sessions of their own, so that the end of a process
 * group does not reach them; an environment is inherited by all. On Windows nobody can look into it: there, the end of
 * the tree has to do.
 */
export async function sweepMark(name: string, value: string): Promise<number> {
  const killed = new Set<string>();
  let clean = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const marked = endMarked(`${name}=${value}`);
    for (const { pid, began } of marked) killed.add(`${pid} ${began}`);
    clean = marked.length === 0 ? clean + 1 : 0;
    // Where there was one, there may be another that was being born.
    if (clean > (killed.size > 0 ? 1 : 0)) break;
    await delay(PAUSE_MS);
  }
  return killed.size;
}

/** One look at all of them, then a few at those that were born meanwhile. */
function endMarked(mark: string): Seen[] {
  const known = new Set<number>();
  const all: Seen[] = [];
  const ended = new Map<number, Seen>();
  for (let look = 0; look <= LOOKS_FOR_NEW; look++) {
    all.push(...listProcesses(mark, known));
    for (const one of pickMarked(all, process.pid)) {
      if (!ended.has(one.pid)) kill(one.pid);
      ended.set(one.pid, one);
    }
  }
  return [...ended.values()];
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended, or is somebody else's.
  }
}

/** The marked ones and their descendants, but never ourselves or whoever started us. */
export function pickMarked(all: readonly Seen[], self: number): Seen[] {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const spared = new Set(lineOf(self, parents));
  const marked = new Set(all.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  return all.filter(
    ({ pid }) => !spared.has(pid) && lineUntil(pid, parents, spared).some((one) => marked.has(one)),
  );
}

/** A process, its parent and so on up to the first. */
function lineOf(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  for (let one: number | undefined = pid; one !== undefined && one > 0; one = parents.get(one)) {
    if (line.includes(one)) break;
    line.push(one);
  }
  return line;
}

/** A run inside of a run: what is above ourselves has a mark too, but what we start is not theirs to be swept by us. */
function lineUntil(
  pid: number,
  parents: ReadonlyMap<number, number>,
  spared: ReadonlySet<number>,
): number[] {
  const line = lineOf(pid, parents);
  const end = line.findIndex((one) => spared.has(one));
  return end === -1 ? line : line.slice(0, end);
}

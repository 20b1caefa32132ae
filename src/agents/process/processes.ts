import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { runToEnd } from "../../exec/run-to-end.ts";
import { drivenBy, NO_RUN } from "../../run/driven.ts";
import { readAnyProcessStat, readProcessStat } from "../../store/process-stat.ts";

/** A living process. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  /** Tells it apart from a later process with the same number. */
  readonly began: string;
  readonly isMarked: boolean;
}

/**
 * All processes that we may look at. `mark` is `NAME=value` in an environment. Processes in `known` are left out; the
 * others are added to it.
 */
export function listProcesses(mark: string, known: Set<number> = new Set()): ProcessInfo[] {
  if (process.platform === "linux") return listProc(mark, known);
  const all = process.platform === "win32" ? [] : listPs(mark);
  return all.filter(({ pid }) => !known.has(pid) && known.add(pid));
}

/** The default maximum size of an environment on Linux. */
const MAX_BYTES = 2 << 20;
const page = Buffer.alloc(64 << 10);

const listProc = (mark: string, known: Set<number>): ProcessInfo[] =>
  readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || known.has(pid)) return [];
    known.add(pid);
    const stat = readProcessStat(pid);
    if (stat === undefined) return [];
    const isMarked = hasVariable(readEnvironment(pid), mark);
    return [{ pid, parent: stat.parent, began: stat.began, isMarked }];
  });

/** A process above this one. */
export interface Ancestor extends Pick<ProcessInfo, "pid" | "began"> {
  /** Its environment and its program cannot be read, although it lives: somebody has seen to that. */
  readonly isHidden: boolean;
}

/**
 * This process's parent, its parent, and so on, however many there are. Linux only. A process whose parent has ended
 * cannot be traced to its ancestors.
 */
export function listAncestors(from: number = process.ppid): Ancestor[] {
  const line = new Map<number, Ancestor>();
  if (process.platform !== "linux") return [];
  for (let pid = from; pid > 0 && !line.has(pid);) {
    const stat = readAnyProcessStat(pid);
    if (stat === undefined) break;
    line.set(pid, { pid, began: stat.began, isHidden: stat.isZombie });
    pid = stat.parent;
  }
  return [...line.values()];
}

/** A process's environment as it was when its program began; empty if it belongs to another user. */
export const readVariables = (pid: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readEnvironment(pid)
      .toString()
      .split("\0")
      .filter((one) => one.includes("="))
      .map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
  );

/** Our mark on this process, or on the nearest ancestor that has it, whatever has become of the environment since. */
export const findMark = (env: NodeJS.ProcessEnv): string | undefined =>
  drivenBy(env) ??
  listAncestors()
    .map(({ pid, isHidden }) => (isHidden ? NO_RUN : drivenBy(readVariables(pid))))
    .find((mark) => mark !== undefined);

export function hasVariable(environ: Buffer, mark: string): boolean {
  const wanted = Buffer.from(`\0${mark}\0`);
  // The first variable has no NUL before it, and a truncated one none after it.
  return Buffer.concat([Buffer.from("\0"), environ, Buffer.from("\0")]).includes(wanted);
}

/** Empty for a process that has ended, or that belongs to another user. */
function readEnvironment(pid: number): Buffer {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/environ`, "r");
    const pieces: Buffer[] = [];
    for (let size = 0; size < MAX_BYTES;) {
      const bytes = readSync(file, page, 0, page.length, null);
      if (bytes === 0) break;
      pieces.push(Buffer.from(page.subarray(0, bytes)));
      size += bytes;
    }
    return Buffer.concat(pieces);
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== undefined) close(file);
  }
}

function close(file: number): void {
  try {
    closeSync(file);
  } catch {
    // It was only read, so nothing is lost.
  }
}

/** On other systems `ps` prints the environments of our own processes after their commands. */
function listPs(mark: string): ProcessInfo[] {
  const command = ["/bin/ps", "-A", "-E", "-ww", "-o", "pid=,ppid=,stat=,command="];
  return readPs(runToEnd(command, { cwd: "/", limitMs: 10_000 }).out, mark);
}

export const readPs = (text: string, mark: string): ProcessInfo[] =>
  text.split("\n").flatMap((line) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/s.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z") === true) return [];
    const isMarked = ` ${command} `.includes(` ${mark} `);
    return [{ pid: Number(pid), parent: Number(parent), began: "", isMarked }];
  });

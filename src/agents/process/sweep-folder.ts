import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";
import { type ProcessStat, readProcessStat } from "../../store/process-stat.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { kill, lineOf } from "./sweep.ts";

/** A process, with its working folder. */
export interface LocatedProcess extends Pick<ProcessStat, "parent" | "hasTerminal"> {
  readonly pid: number;
  /** In ticks since boot. */
  readonly began: number;
  readonly folder: string;
}

/** The time since boot in ticks; undefined except on Linux. */
export function readTicks(): number | undefined {
  if (process.platform !== "linux") return undefined;
  // There are 100 a second on every Linux that Node runs on.
  return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 100);
}

/**
 * Ends the processes whose working folder is inside a folder of the run, where only its agents work: a process that has
 * cleared its environment carries no mark. Older processes, our own children, and processes at a terminal, such as the
 * shell of a user who looks around, are left alone. Returns how many were ended.
 */
export function sweepFolder(folder: string, since: number | undefined): number {
  if (since === undefined) return 0;
  const found = pickInside(listLocated(), realPathOf(folder), since, process.pid);
  for (const { pid } of found) kill(pid);
  return found.length;
}

export function pickInside(
  all: readonly LocatedProcess[],
  folder: string,
  since: number,
  self: number,
): LocatedProcess[] {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  return all.filter(
    (one) =>
      (one.folder === folder || one.folder.startsWith(folder + sep)) &&
      one.began >= since &&
      !one.hasTerminal &&
      !lineOf(one.pid, parents).includes(self),
  );
}

const listLocated = (): LocatedProcess[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const pid = Number(name);
    const stat = readProcessStat(pid);
    if (stat === undefined) return [];
    try {
      // The folder may have been deleted.
      const folder = readlinkSync(`/proc/${name}/cwd`).replace(/ \(deleted\)$/, "");
      return [{ ...stat, pid, began: Number(stat.began), folder }];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { sep } from "node:path";
import { realPathOf } from "../../store/vault-place.ts";

/** A process as it is seen from outside; times are in the system's ticks since it was booted. */
export interface Standing {
  readonly pid: number;
  readonly parent: number;
  readonly began: number;
  readonly hasTerminal: boolean;
  readonly folder: string;
}

/** Now, in the system's ticks; undefined where there is no such clock. */
export function readTicks(): number | undefined {
  if (process.platform !== "linux") return undefined;
  // A hundred a second, on every Linux that node runs on.
  return Math.floor(Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 100);
}

/**
 * Ends what stands in a folder of the run's own, where nobody but its agents works: whoever has cleared their
 * environment carries no mark. Spared is what was there before, what belongs to a terminal, as the shell of somebody who
 * looks around does, and our own children. Returns how many there were.
 */
export function sweepFolder(folder: string, since: number | undefined): number {
  if (since === undefined) return 0;
  const found = pickStanding(listStanding(), realPathOf(folder), since, process.pid);
  for (const { pid } of found)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  return found.length;
}

export function pickStanding(
  all: readonly Standing[],
  folder: string,
  since: number,
  self: number,
): Standing[] {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number): boolean => {
    for (let one = pid, steps = 0; one > 1 && steps < 100; one = parents.get(one) ?? 0, steps++)
      if (one === self) return true;
    return false;
  };
  return all.filter(
    (one) =>
      (one.folder === folder || one.folder.startsWith(folder + sep)) &&
      one.began >= since &&
      !one.hasTerminal &&
      !isOurs(one.pid),
  );
}

const listStanding = (): Standing[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [
        {
          pid: Number(name),
          parent: Number(fields[1]),
          hasTerminal: fields[4] !== "0",
          began: Number(fields[19]),
          // The folder may be gone by now.
          folder: readlinkSync(`/proc/${name}/cwd`).replace(/ \(deleted\)$/, ""),
        },
      ];
    } catch {
      // It has ended, or is somebody else's.
      return [];
    }
  });

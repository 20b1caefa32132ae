import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * Processes that belong to a folder: it is their working folder, or their environment names it, for example as HOME.
 * Also finds what a killed client leaves running in its own session. Linux only.
 */
export function processesIn(folder: string): Process[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const [state, parent] = read(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, "")
        .split(" ");
      // A zombie has ended.
      if (state === "" || state === "Z" || !livesIn(pid, folder)) return [];
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
      // A killed process loses its memory, and with it its command line, before it is gone.
      return command === "" ? [] : [{ pid, parent: Number(parent), command }];
    });
}

const livesIn = (pid: number, folder: string): boolean =>
  read(`/proc/${pid}/environ`).includes(folder) ||
  quiet(() => readlinkSync(`/proc/${pid}/cwd`)).startsWith(folder);

/** Kills them and waits until they are gone: until then they may still write. */
export async function endProcessesIn(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const living = processesIn(folder);
    if (living.length === 0) return;
    for (const { pid } of living) quiet(() => String(process.kill(pid, "SIGKILL")));
    await delay(50);
  }
}

/** Empty for a process that has ended, or that belongs to another user. */
const read = (path: string): string => quiet(() => readFileSync(path, "utf8"));

function quiet(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}

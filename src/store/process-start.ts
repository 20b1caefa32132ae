import { execFileSync } from "node:child_process";
import { isAlive } from "./lock.ts";
import { readText } from "./read.ts";

/**
 * When a process began, in the system's own words: with its number it names one process for good, since numbers are
 * used again. Undefined if there is no such process, or the system does not say.
 */
export function readProcessStart(
  pid: number,
  platform: string = process.platform,
): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (platform === "linux") {
    // The name of the program, in parentheses, may contain anything. The 20th word after it is the start.
    const file = readText(`/proc/${pid}/stat`, 4 << 10);
    if (file.kind !== "ok") return undefined;
    const words = file.text.slice(file.text.lastIndexOf(")") + 2).split(" ");
    return words[0] === "Z" || words[0] === "X" ? undefined : words[19];
  }
  if (platform === "win32") return undefined;
  try {
    const said = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5000,
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    });
    return said.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Whether that very process is still there; by its number alone where nothing else is known. */
export function isSameProcess(pid: number, start: string | null | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (start === null || start === undefined) return isAlive(pid);
  const now = readProcessStart(pid);
  return now === undefined ? process.platform === "win32" && isAlive(pid) : now === start;
}

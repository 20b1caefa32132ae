import { execFileSync } from "node:child_process";
import { orElse } from "../text/or-else.ts";
import { isAlive } from "./process-id.ts";
import { readProcessStat } from "./process-stat.ts";

/**
 * When a process began, as the system reports it. Together with the number it identifies a process for good: numbers
 * are reused. Undefined if there is no such process, or the system does not say.
 */
export function readProcessStart(
  pid: number,
  platform: string = process.platform,
): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (platform === "linux") return readProcessStat(pid)?.began;
  if (platform === "win32") return undefined;
  const ask = (): string =>
    execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5000,
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    });
  return orElse(ask, "").trim() || undefined;
}

/** Whether the same process is still running, judged by its number alone if the start is unknown. */
export function isSameProcess(pid: number, start: string | null | undefined): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (start === null || start === undefined) return isAlive(pid);
  const now = readProcessStart(pid);
  return now === undefined ? process.platform === "win32" && isAlive(pid) : now === start;
}

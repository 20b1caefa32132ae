import { type ChildProcess, spawnSync } from "node:child_process";
import { findProgram } from "./program.ts";

/** Signals a process that was started in its own group, and everything in that group. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") endTree(child);
    else process.kill(-child.pid, signal);
  } catch {
    // Everything has already ended.
  }
}

/** Windows has no process groups: children can be found only while the shell is running. */
function endTree(child: ChildProcess): void {
  if (child.exitCode !== null) return;
  const taskkill = findProgram("taskkill");
  if (taskkill !== undefined)
    spawnSync(taskkill, ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
  child.kill("SIGKILL");
}

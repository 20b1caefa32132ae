import { type ChildProcess, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { namespaceOf, ownNamespace } from "../store/process-id.ts";
import { findProgram } from "./program.ts";

/** Signals a process that was started in its own group, and everything in that group. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") endTree(child);
    else if (signal !== "SIGKILL" || !endInside(child)) process.kill(-child.pid, signal);
  } catch {
    // Everything has already ended.
  }
}

/**
 * Ends the PID namespace that the child has opened, if it has, through the first process in it. The child itself ends
 * once the kernel has ended everything there; if it were killed too, the rest would end a moment later.
 */
function endInside({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (process.platform !== "linux" || exitCode !== null || signalCode !== null) return false;
  try {
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .map(Number)
      .find((one) => one > 0 && !["", ownNamespace()].includes(namespaceOf(one)));
    return first !== undefined && process.kill(first, "SIGKILL");
  } catch {
    // The system does not list children, or it has just ended.
    return false;
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

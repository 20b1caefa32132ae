import childProcess from "node:child_process";
import fs from "node:fs";
import { type Around, aroundFs, aroundProcesses } from "./calls.ts";

/** What a process is told to do to itself, in its environment. */
export const DIE_AT = "FAULTS_DIE_AT";
/** Where a process writes down which calls it made, one a line. */
export const CALLS_TO = "FAULTS_CALLS_TO";

/**
 * Put into one of our processes with `node --require`: kills it with SIGKILL before or after the n-th call that writes, or
 * when half of the bytes are written; or lets it live, and counts.
 */
export function preload(): void {
  const [at, when] = (process.env[DIE_AT] ?? "-1 before").split(" ") as [string, string];
  const calls = process.env[CALLS_TO];
  const append = fs.appendFileSync;
  let count = 0;
  let depth = 0;
  const around: Around = ({ name, writes, on }, proceed, half) => {
    // Node's own functions call one another.
    if (!writes || depth > 0) return proceed();
    const isDue = count++ === Number(at);
    depth++;
    try {
      if (calls !== undefined)
        append(calls, `${half === undefined ? "whole" : "bytes"} ${name} ${on}\n`);
      if (isDue && when === "before") die();
      if (isDue && when === "half") {
        half?.();
        die();
      }
      return proceed();
    } finally {
      // Also after a call that failed.
      if (isDue) die();
      depth--;
    }
  };
  Object.assign(fs, aroundFs({ ...fs }, around));
  Object.assign(childProcess, aroundProcesses({ ...childProcess }, around));
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

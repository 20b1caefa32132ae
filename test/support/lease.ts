import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { vaultOf } from "./ticket.ts";

/** The lease of a run with the session `run-1`, whose process cannot be seen from here. */
export function writeLease(home: string, beat: Date = new Date()): void {
  const folder = join(vaultOf(home), "leases");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const worker = { run: "1", pid: 4_194_304, processStart: "1", machine: hostname() };
  const path = join(folder, "lease.json");
  writeFileSync(path, JSON.stringify({ unit: "spec", fence: 1, worker, beat: beat.toISOString() }));
  utimesSync(path, beat, beat);
}

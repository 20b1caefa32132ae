import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import {
  field,
  integer,
  nullable,
  objectOf,
  parseRaw,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import { isSameProcess } from "./process-start.ts";
import { MAX_BYTES, readText } from "./read.ts";
import { realPathOf } from "./vault-place.ts";

const workerFields = {
  run: field(string, ""),
  pid: field(integer(1), ""),
  /** When its process began, as the system reports it: process numbers are reused. */
  processStart: field(nullable(string), ""),
  machine: field(string, ""),
};

/** A process that works on a unit. */
export type Worker = ValuesOf<typeof workerFields>;

const leaseFields = {
  unit: field(string, ""),
  /** Higher than for any earlier holder of the unit. */
  fence: field(integer(0), ""),
  /** Null after a release. */
  worker: field(nullable(objectOf(workerFields)), ""),
  beat: field(string, ""),
};

/** Says who holds a unit of work; kept in the user's own folder. */
export type Lease = ValuesOf<typeof leaseFields>;
const leaseKind = objectOf(leaseFields);

/** The unit for a whole spec, wherever its run works. */
export const specUnit = (folder: string): string => `spec ${realPathOf(folder)}`;

export const leaseFile = (vault: string, unit: string): string =>
  join(vault, "leases", `${createHash("sha256").update(unit).digest("hex").slice(0, 32)}.json`);

export function readLease(vault: string, unit: string): Lease {
  const file = readText(leaseFile(vault, unit), MAX_BYTES.state);
  const parsed = file.kind === "ok" ? parseRaw(file.text) : undefined;
  const known = parsed?.kind === "ok" && leaseKind.is(parsed.raw) ? parsed.raw : undefined;
  return known ?? { unit, fence: 0, worker: null, beat: "" };
}

/** A worker on another machine that shares the folder counts as gone after this long without a heartbeat. */
const SILENT_MS = 120_000;

/** The worker that holds the lease and is still alive. */
export function holderOf({ worker, beat }: Lease): Worker | undefined {
  if (worker === null) return undefined;
  const isAtWork =
    worker.machine === hostname()
      ? isSameProcess(worker.pid, worker.processStart)
      : Date.now() - Date.parse(beat) < SILENT_MS;
  return isAtWork ? worker : undefined;
}

import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isSameProcess, readProcessStart } from "../exec/process-start.ts";
import { withLock } from "../store/lock.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { writeWhole } from "../store/write.ts";
import {
  field,
  integer,
  nullable,
  objectOf,
  parseRaw,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import type { Assignment, Assignments, Claimed, Worker } from "./assignments.ts";

const workerKind = objectOf({
  run: field(string, ""),
  pid: field(integer(1), ""),
  processStart: field(nullable(string), ""),
  machine: field(string, ""),
});

const leaseFields = {
  unit: field(string, ""),
  fence: field(integer(0), ""),
  /** Null once it was released. */
  worker: field(nullable(workerKind), ""),
  beat: field(string, ""),
};

type Lease = ValuesOf<typeof leaseFields>;
const leaseKind = objectOf(leaseFields);

/** A worker on another machine, which shares the folder, counts as gone after this time without a heartbeat. */
const SILENT_MS = 120_000;

export const thisWorker = (run: string): Worker => ({
  run,
  pid: process.pid,
  processStart: readProcessStart(process.pid) ?? null,
  machine: hostname(),
});

/** One process on one machine: a file for each unit, in the user's own folder. */
export function localAssignments(vault: string): Assignments {
  const folder = join(vault, "leases");
  const fileOf = (unit: string): string =>
    join(folder, `${createHash("sha256").update(unit).digest("hex").slice(0, 32)}.json`);

  /** Reads a unit's file and maybe replaces it, while nobody else does. */
  function change<T>(unit: string, work: (lease: Lease) => { result: T; next?: Lease }): T {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = fileOf(unit);
    return withLock(`${path}.lock`, () => {
      const file = readText(path, MAX_BYTES.state);
      const parsed = file.kind === "ok" ? parseRaw(file.text) : undefined;
      const known = parsed?.kind === "ok" && leaseKind.is(parsed.raw) ? parsed.raw : undefined;
      const { result, next } = work(known ?? { unit, fence: 0, worker: null, beat: "" });
      if (next !== undefined) writeWhole(path, `${JSON.stringify(next)}\n`);
      return result;
    });
  }

  const now = (): string => new Date().toISOString();
  const isOurs = (lease: Lease, { fence }: Assignment): boolean =>
    lease.worker !== null && lease.fence === fence;

  return {
    claim: async (unit, worker) =>
      change<Claimed>(unit, (lease) => {
        if (lease.worker !== null && isAtWork(lease.worker, lease.beat))
          return { result: { kind: "taken", by: lease.worker } };
        const fence = lease.fence + 1;
        return {
          result: { kind: "assigned", assignment: { unit, fence } },
          next: { unit, fence, worker, beat: now() },
        };
      }),
    heartbeat: async (assignment) =>
      change(assignment.unit, (lease) =>
        isOurs(lease, assignment)
          ? { result: true, next: { ...lease, beat: now() } }
          : { result: false },
      ),
    async commit(assignment, write) {
      const isStill = (): boolean =>
        change(assignment.unit, (lease) => ({ result: isOurs(lease, assignment) }));
      return isStill() ? { value: await write() } : undefined;
    },
    release: async (assignment) =>
      change(assignment.unit, (lease) =>
        isOurs(lease, assignment)
          ? { result: undefined, next: { ...lease, worker: null } }
          : { result: undefined },
      ),
  };
}

function isAtWork({ pid, processStart, machine }: Worker, beat: string): boolean {
  if (machine === hostname()) return isSameProcess(pid, processStart);
  return Date.now() - Date.parse(beat) < SILENT_MS;
}

import { mkdirSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { holderOf, type Lease, leaseFile, readLease, type Worker } from "../store/lease.ts";
import { removeIfDead, withLock } from "../store/lock.ts";
import { ownNamespace } from "../store/process-id.ts";
import { readProcessStart } from "../store/process-start.ts";
import { faultIn } from "../store/read.ts";
import { writeWhole } from "../store/write.ts";
import type { Assignment, Assignments, Claimed } from "./assignments.ts";

export const thisWorker = (run: string): Worker => ({
  run,
  pid: process.pid,
  processStart: readProcessStart(process.pid) ?? null,
  machine: hostname(),
  namespace: ownNamespace(),
});

/** Assignments for one machine: a file for each unit, in the user's own folder. */
export function localAssignments(vault: string): Assignments {
  /** Reads a unit's file and maybe replaces it, under a lock. */
  function change<T>(unit: string, work: (lease: Lease) => { result: T; next?: Lease }): T {
    const path = leaseFile(vault, unit);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return withLock(`${path}.lock`, () => {
      const { result, next } = work(readLease(vault, unit));
      if (next !== undefined) writeWhole(path, `${JSON.stringify(next)}\n`);
      return result;
    });
  }

  /** Removes the locks of processes that were killed. */
  function tidy(): void {
    const folder = dirname(leaseFile(vault, ""));
    faultIn(() => {
      for (const name of readdirSync(folder))
        if (name.endsWith(".lock")) removeIfDead(join(folder, name));
    });
  }

  const now = (): string => new Date().toISOString();
  const isOurs = (lease: Lease, { fence }: Assignment): boolean =>
    lease.worker !== null && lease.fence === fence;

  return {
    claim: async (unit, worker) =>
      change<Claimed>(unit, (lease) => {
        const by = holderOf(lease);
        if (by !== undefined) return { result: { kind: "taken", by } };
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
      const isStill = change(assignment.unit, (lease) => ({ result: isOurs(lease, assignment) }));
      return isStill ? { value: await write() } : undefined;
    },
    async release(assignment) {
      change(assignment.unit, (lease) =>
        isOurs(lease, assignment)
          ? { result: undefined, next: { ...lease, worker: null } }
          : { result: undefined },
      );
      tidy();
    },
  };
}

import { mkdirSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { holderOf, leaseFile, type LeaseRecord, readLease, type Worker } from "../store/lease.ts";
import { removeIfDead, withLock } from "../store/lock.ts";
import { ownNamespace } from "../store/process-id.ts";
import { readProcessStart } from "../store/process-start.ts";
import { faultIn } from "../store/read.ts";
import { writeWhole } from "../store/write.ts";

/**
 * A spec that this process works on, and no other: it judges, merges and writes. Whoever does the tasks gets an order
 * with the lease's fence instead. A holder that is gone, or silent for too long, loses the spec to whoever asks next.
 */
export interface Lease {
  /** Higher than the fence of every earlier lease of the spec. */
  readonly fence: number;
  /** Renews it. False if the spec belongs to another process now. */
  readonly beat: () => boolean;
  readonly release: () => void;
}

export const thisWorker = (run: string): Worker => ({
  run,
  pid: process.pid,
  processStart: readProcessStart(process.pid) ?? null,
  machine: hostname(),
  namespace: ownNamespace(),
});

/** Claims a spec by its folder in the user's tree, with a file in the user's own folder. Or says who has it. */
export function claimLease(
  vault: string,
  folder: string,
  worker: Worker,
): Lease | { readonly takenBy: Worker } {
  const path = leaseFile(vault, folder);
  const locked = <T>(work: (record: LeaseRecord) => T): T =>
    withLock(`${path}.lock`, () => work(readLease(vault, folder)));
  const write = (record: LeaseRecord): void => writeWhole(path, `${JSON.stringify(record)}\n`);
  const beat = (): string => new Date().toISOString();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return locked((record) => {
    const takenBy = holderOf(record);
    if (takenBy !== undefined) return { takenBy };
    const fence = record.fence + 1;
    write({ ...record, fence, worker, beat: beat() });
    const renew = (change: () => Partial<LeaseRecord>): boolean =>
      locked((now) => {
        const isOurs = now.worker !== null && now.fence === fence;
        if (isOurs) write({ ...now, ...change() });
        return isOurs;
      });
    return {
      fence,
      beat: () => renew(() => ({ beat: beat() })),
      release() {
        renew(() => ({ worker: null }));
        removeDeadLocks(dirname(path));
      },
    };
  });
}

/** Removes the locks of processes that were killed. */
function removeDeadLocks(folder: string): void {
  faultIn(() => {
    for (const name of readdirSync(folder))
      if (name.endsWith(".lock")) removeIfDead(join(folder, name));
  });
}

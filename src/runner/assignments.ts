import type { Worker } from "../store/lease.ts";

/** The right to work on a unit: a spec, or a task of one. */
export interface Assignment {
  readonly unit: string;
  /** Higher than that of everybody who had the unit before. */
  readonly fence: number;
}

export type Claimed =
  | { readonly kind: "assigned"; readonly assignment: Assignment }
  | { readonly kind: "taken"; readonly by: Worker };

/**
 * Where work is assigned to workers. Today one process on one machine has all of it; a queue that many machines share
 * fits behind the same four questions. Whoever stops to answer loses the unit, and what they bring afterwards is not
 * taken: `commit` compares the fence.
 */
export interface Assignments {
  readonly claim: (unit: string, worker: Worker) => Promise<Claimed>;
  /** False if the unit was given to somebody else. */
  readonly heartbeat: (assignment: Assignment) => Promise<boolean>;
  /** Runs `write` only while the unit is still the worker's. Undefined if it is not. */
  readonly commit: <T>(
    assignment: Assignment,
    write: () => Promise<T>,
  ) => Promise<{ readonly value: T } | undefined>;
  readonly release: (assignment: Assignment) => Promise<void>;
}

export type { Worker };

import type { Worker } from "../store/lease.ts";

/** The right to work on a unit: a spec, or a task of one. */
export interface Assignment {
  readonly unit: string;
  /** Higher than the fence of every earlier assignment of the unit. */
  readonly fence: number;
}

export type Claimed =
  | { readonly kind: "assigned"; readonly assignment: Assignment }
  | { readonly kind: "taken"; readonly by: Worker };

/**
 * Assigns work to workers. Today one process on one machine has all of it; a queue that many machines share would fit
 * behind the same four functions. A worker that stops responding loses the unit, and what it delivers afterwards is
 * rejected: `commit` compares the fence.
 */
export interface Assignments {
  readonly claim: (unit: string, worker: Worker) => Promise<Claimed>;
  /** False if the unit now belongs to another worker. */
  readonly heartbeat: (assignment: Assignment) => Promise<boolean>;
  /** Runs `write` if the unit still belongs to the worker; otherwise returns undefined. */
  readonly commit: <T>(
    assignment: Assignment,
    write: () => Promise<T>,
  ) => Promise<{ readonly value: T } | undefined>;
  readonly release: (assignment: Assignment) => Promise<void>;
}

export type { Worker };

import type * as fc from "fast-check";

/** A part of the program, what it is fed, and what must hold afterwards: `run` throws if it does not. */
export interface Target {
  readonly name: string;
  /** How many of a thousand inputs it gets. */
  readonly share: number;
  readonly inputs: fc.Arbitrary<unknown>;
  readonly run: (input: unknown) => void | Promise<void>;
}

export const target = <T>(
  name: string,
  share: number,
  inputs: fc.Arbitrary<T>,
  run: (input: T) => void | Promise<void>,
): Target => ({ name, share, inputs, run: run as Target["run"] });

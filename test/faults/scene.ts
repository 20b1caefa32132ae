import { expect } from "vitest";
import { faultsIn, type Ran } from "../program/child.ts";
import { IDLE } from "../program/claims.ts";
import type { Around } from "./calls.ts";
import type { Stage } from "./stage.ts";

/** What the next stop may be answered with: a task, advice to the agent, or nothing that keeps it. */
export type Answer = "task" | "advice" | "none";

/** One thing that the program does and writes for, and the project in which it does so. */
export interface Scene {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** In a repository, where checkpoints are made: dearer, so fewer points of it are tried in CI. */
  readonly git?: "spec ignored" | "spec tracked";
  readonly prepare?: (stage: Stage) => Promise<void>;
  readonly act: (stage: Stage, around?: Around) => Promise<Ran>;
  /** What the stop after it may be answered with, where that does not follow from the boxes. */
  readonly next?: readonly Answer[];
  /** A run of which the user's own folder cannot be read is not ours, and is left alone without a word. */
  readonly passesStrangers?: true;
  /** A stop follows, which says what is wrong with the state. */
  readonly stopTells?: true;
  /** A box that was ticked by hand may be cleared, if what the user agreed to cannot be read. */
  readonly mayClear?: true;
  /** Notes of executors that are still there in the end, merged or, where that failed, apart. */
  readonly notes?: readonly string[];
}

export const REPORT = `${IDLE}\nVERIFICATION_PASS`;

export async function ok(ran: Promise<Ran>): Promise<void> {
  const { code, err } = await ran;
  expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
}

export const start = (stage: Stage, ...more: string[]): Promise<void> =>
  ok(stage.slash(["implement", "demo", ...more]));

export const done = (stage: Stage, id: string, around?: Around): Promise<Ran> =>
  stage.command(["done", id, "--report", REPORT], around);

/** What the user types after a slash. */
export const slash =
  (...args: string[]): Scene["act"] =>
  (stage, around) =>
    stage.slash(args, around);

/** What the agent, or a script, runs. */
export const command =
  (...args: string[]): Scene["act"] =>
  (stage, around) =>
    stage.command(args, around);

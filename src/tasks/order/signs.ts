import { readLeaves } from "../../text/lines.ts";
import type { Dependencies, Dependency } from "../dependencies.ts";
import { findRoots } from "../edit/movable-blocks.ts";
import type { TaskList } from "../model.ts";
import { proseOf, type Reading, readImpact, readUncertainty } from "./uncertainty.ts";

/** A task is a blocker if at least this many wait for it. */
export const BLOCKS = 2;

/** What a task's words and files hint at. */
export interface Signs {
  /**
   * Only those that wait for the task itself count, wherever they are: with those that wait for them in
   * turn, every task of a chain of six would reach the limit of five, and none would stand out. Finished
   * tasks no longer wait; sub-tasks are part of their task.
   */
  readonly waiting: readonly Dependency[];
  readonly uncertainty: Reading;
  readonly impact: Reading;
}

/** By the index of a task. */
export function readSigns(list: TaskList, { dependants }: Dependencies): Signs[] {
  const leaves = readLeaves(list.lines);
  const roots = findRoots(list);
  return list.tasks.map((task) => {
    const prose = proseOf(list, task, leaves);
    return {
      waiting: (dependants[task.index] ?? []).filter(
        (one) => !list.tasks[one.task]?.checked && roots[one.task] !== roots[task.index],
      ),
      uncertainty: readUncertainty(prose),
      impact: readImpact(prose),
    };
  });
}

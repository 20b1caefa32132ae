import type { Dependencies, Dependency } from "../dependencies.ts";
import { readLeaves } from "../../text/lines.ts";
import { indexIds } from "../references.ts";
import type { Task, TaskList } from "../model.ts";
import { readUnits } from "../edit/movable-blocks.ts";
import { hasNote } from "../edit/notes.ts";
import { proseOf, readImpact, readUncertainty } from "./uncertainty.ts";
import type { Weights } from "./weights.ts";

export interface Score {
  /** Before weighing, but for the tags, which are points. */
  readonly breakdown: {
    readonly unblocks: number;
    readonly uncertainty: number;
    readonly impact: number;
    readonly tags: number;
  };
  readonly total: number;
  /** `BLOCKER`, `RISKY`, `HIGH-VALUE`: what the task is without saying so. */
  readonly tagsToAdd: readonly string[];
  /** Whole lines, `> Unblocks: …`, that say why. */
  readonly notesToAdd: readonly string[];
}

/** From how many tasks on that wait for it a task is a blocker. */
const BLOCKS = 2;
/** More ids than this do not explain, they fill the page. */
const LISTED = 10;

/**
 * Only those that wait for the task itself count, wherever they stand: with those that wait for them in
 * turn, every task of a chain of six would reach the limit of five, and none would stand out. What is
 * done waits for nothing any more; sub-tasks are part of their task.
 */
export function scoreTasks(
  list: TaskList,
  { dependants, inOrder }: Dependencies,
  weights: Weights,
): Score[] {
  const { index: ids } = indexIds(list);
  const leaves = readLeaves(list.lines);
  const unitOf: number[] = [];
  for (const { first, end } of readUnits(list)) {
    for (let task = first; task < end; task++) unitOf[task] = first;
  }
  return list.tasks.map((task) => {
    const waiting = (dependants[task.index] ?? []).filter(
      (one) => !list.tasks[one.task]?.checked && unitOf[one.task] !== unitOf[task.index],
    );
    const prose = proseOf(list, task, leaves);
    const uncertainty = readUncertainty(prose);
    const impact = readImpact(prose);
    const implied = [
      ...(waiting.length >= BLOCKS ? ["BLOCKER"] : []),
      ...(uncertainty.level === 3 ? ["RISKY"] : []),
      ...(impact.level === 3 && !task.tags.includes("TRIVIAL") ? ["HIGH-VALUE"] : []),
    ];
    // What a task is counts like what it says it is: else adding the tag would change the order again.
    const tags = new Set([...task.tags, ...implied]);
    const points =
      (tags.has("BLOCKER") ? weights.blocker : 0) +
      (tags.has("RISKY") ? weights.risky : 0) +
      (tags.has("HIGH-VALUE") ? weights.highValue : 0) +
      (tags.has("TRIVIAL") ? weights.trivial : 0);
    const unblocks = Math.min(5, Math.max(1, waiting.length));
    const total =
      weights.unblocks * unblocks +
      weights.uncertainty * uncertainty.level +
      weights.impact * impact.level +
      points;

    // A note is words. For a fix the tag says it all, and a file may go against the words of another
    // phase: said aloud, it would close a circle.
    const named = waiting.filter(({ kind }) => kind === "said" || (kind === "file" && inOrder));
    const notes = [
      ...(implied.includes("BLOCKER") && !hasNote(list, task, "unblocks")
        ? unblocksNote(list, named, ids)
        : []),
      ...(implied.includes("RISKY") && !hasNote(list, task, "uncertain")
        ? [`> Uncertain: says ${uncertainty.words.map((word) => `"${word}"`).join(" and ")}`]
        : []),
    ];
    const isOpen = !task.checked && !task.tags.includes("VERIFY");
    return {
      breakdown: { unblocks, uncertainty: uncertainty.level, impact: impact.level, tags: points },
      total,
      tagsToAdd: isOpen ? implied.filter((tag) => !task.tags.includes(tag)) : [],
      notesToAdd: isOpen ? notes : [],
    };
  });
}

/** Tasks without an id, or with one that stands twice, cannot be named. */
function unblocksNote(
  list: TaskList,
  waiting: readonly Dependency[],
  ids: ReadonlyMap<string, number | undefined>,
): string[] {
  const named = waiting
    .map((one) => ({ ...one, id: (list.tasks[one.task] as Task).id }))
    .filter(({ id, task }) => ids.get(id.toLowerCase()) === task)
    .sort((a, b) => a.task - b.task)
    .map(({ id, file }) => (file === undefined || /[()]/.test(file) ? id : `${id} (${file})`));
  if (named.length === 0) return [];
  const more = named.length > LISTED ? ` (and ${named.length - LISTED} more)` : "";
  return [`> Unblocks: ${named.slice(0, LISTED).join(", ")}${more}`];
}

import type { Dependencies, Dependency } from "../dependencies.ts";
import { hasNote } from "../edit/notes.ts";
import type { Task, TaskList } from "../model.ts";
import { indexIds } from "../references.ts";
import { isVerifyTask, SCORE_TAGS, type ScoreTag } from "../tags.ts";
import { BLOCKS, type Signs } from "./signs.ts";
import type { Weights } from "./weights.ts";

export interface Score {
  /** Without weights, except for the tags, which are points. */
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

const WEIGHT_OF = {
  BLOCKER: "blocker",
  RISKY: "risky",
  "HIGH-VALUE": "highValue",
  TRIVIAL: "trivial",
} as const satisfies Record<ScoreTag, keyof Weights>;

/** More ids than this explain nothing; they only fill the page. */
const LISTED = 10;

/** The literal formula: words, shared files and tags, each with its weight. */
export function scoreTasks(
  list: TaskList,
  signs: readonly Signs[],
  { inOrder }: Dependencies,
  weights: Weights,
): Score[] {
  const { index: ids } = indexIds(list);
  return list.tasks.map((task) => {
    const { waiting, uncertainty, impact } = signs[task.index] as Signs;
    const has = (tag: ScoreTag): boolean => task.tags.includes(tag);
    const isWorth: Partial<Record<ScoreTag, boolean>> = {
      BLOCKER: waiting.length >= BLOCKS,
      RISKY: uncertainty.level === 3,
      "HIGH-VALUE": impact.level === 3 && !has("TRIVIAL"),
    };
    const implied = SCORE_TAGS.filter((tag) => isWorth[tag]);
    // An implied tag counts like a written one; otherwise adding it would change the order again.
    const points = SCORE_TAGS.filter((tag) => has(tag) || implied.includes(tag))
      .map((tag) => weights[WEIGHT_OF[tag]])
      .reduce((sum, weight) => sum + weight, 0);
    const unblocks = Math.min(5, Math.max(1, waiting.length));
    const total =
      weights.unblocks * unblocks +
      weights.uncertainty * uncertainty.level +
      weights.impact * impact.level +
      points;

    // A note is a statement. For a fix the tag is enough, and a file may contradict what another phase states: as a
    // note, it would close a cycle.
    const named = waiting.filter(({ kind }) => kind === "stated" || (kind === "file" && inOrder));
    const notes = [
      ...(implied.includes("BLOCKER") && !hasNote(list, task, "unblocks")
        ? unblocksNote(list, named, ids)
        : []),
      ...(implied.includes("RISKY") && !hasNote(list, task, "uncertain")
        ? [`> Uncertain: says ${uncertainty.words.map((word) => `"${word}"`).join(" and ")}`]
        : []),
    ];
    const isOpen = !task.checked && !isVerifyTask(task);
    return {
      breakdown: { unblocks, uncertainty: uncertainty.level, impact: impact.level, tags: points },
      total,
      tagsToAdd: isOpen ? implied.filter((tag) => !has(tag)) : [],
      notesToAdd: isOpen ? notes : [],
    };
  });
}

/** Tasks without an id, or with one that is used twice, cannot be named. */
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

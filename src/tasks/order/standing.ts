import { isStated } from "../dependencies.ts";
import type { Block } from "../edit/movable-blocks.ts";
import { hasNote } from "../edit/notes.ts";
import type { Task, TaskList } from "../model.ts";
import { SCORE_TAGS, type ScoreTag } from "../tags.ts";
import { BLOCKS, type Signs } from "./signs.ts";

/** Whether the author says so: by the tag, or by the note that explains it. */
export function isMarked(list: TaskList, task: Task, tag: ScoreTag, { waiting }: Signs): boolean {
  if (task.tags.includes(tag)) return true;
  if (tag === "RISKY") return hasNote(list, task, "uncertain");
  // A note that names one task states a dependency and no more.
  return (
    tag === "BLOCKER" &&
    waiting.filter(isStated).length >= BLOCKS &&
    hasNote(list, task, "unblocks")
  );
}

/** The place of a tag in `SCORE_TAGS`: blockers first. What has none comes before the trivial. */
const PLAIN = SCORE_TAGS.indexOf("TRIVIAL") - 0.5;

/**
 * Where each block belongs, the lowest first. Its highest mark counts; sub-tasks without one say nothing, but an
 * unmarked member of a `[P]` run keeps a trivial one from the end.
 */
export function readStandings(
  list: TaskList,
  signs: readonly Signs[],
  blocks: readonly Block[],
): number[] {
  const markOf = (task: Task): number =>
    SCORE_TAGS.findIndex((tag) => isMarked(list, task, tag, signs[task.index] as Signs));
  return blocks.map(({ trees }) =>
    Math.min(
      ...trees.map(({ first, end }) => {
        const marks = list.tasks.slice(first, end).map(markOf);
        const said = marks.filter((mark) => mark >= 0);
        return said.length === 0 ? PLAIN : Math.min(...said);
      }),
    ),
  );
}

/**
 * What a marked block waits for goes with it, if that is stated. A shared file promotes nothing; it only keeps the
 * trivial from dragging the block that uses its file to the end. `inOrder` lists each block before its followers.
 */
export function inheritStandings(
  own: readonly number[],
  inOrder: readonly number[],
  followers: readonly (readonly number[])[],
  stated: readonly (readonly number[])[],
): number[] {
  const standings = [...own];
  for (const block of inOrder.toReversed()) {
    const heirs = [
      ...(stated[block] ?? []).map((next) => standings[next] as number),
      ...(followers[block] ?? []).map((next) => Math.max(PLAIN, standings[next] as number)),
    ];
    standings[block] = Math.min(own[block] as number, ...heirs);
  }
  return standings;
}

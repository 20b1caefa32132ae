import { groupBy } from "../../text/group.ts";
import type { Task, TaskList } from "../model.ts";
import { isVerifyTask, type ScoreTag } from "../tags.ts";
import { BLOCKS, type Signs } from "./signs.ts";
import { isMarked } from "./standing.ts";
import type { Reading } from "./uncertainty.ts";

/** A tag that a task may deserve. Only its author can tell. */
export interface Suggestion {
  readonly id: string;
  readonly tag: ScoreTag;
  readonly reason: string;
}

/** More names than this explain nothing; they only fill the page. */
const LISTED = 5;

/** What words and shared files hint at, for tasks that are still to be done and do not say so themselves. */
export function suggestTags(list: TaskList, signs: readonly Signs[]): Suggestion[] {
  return list.tasks.flatMap((task) => {
    if (task.checked || isVerifyTask(task)) return [];
    const sign = signs[task.index] as Signs;
    const reasons: [ScoreTag, string][] = [
      ["BLOCKER", sign.waiting.length < BLOCKS ? "" : whoWaits(list, sign.waiting)],
      ["RISKY", whatItSays(sign.uncertainty)],
      ["HIGH-VALUE", task.tags.includes("TRIVIAL") ? "" : whatItSays(sign.impact)],
    ];
    return reasons.flatMap(([tag, reason]) =>
      reason === "" || isMarked(list, task, tag, sign) ? [] : [{ id: task.id, tag, reason }],
    );
  });
}

const whatItSays = ({ words }: Reading): string =>
  words.length === 0 ? "" : `says ${enumerate(words.map((word) => `"${word}"`))}`;

/** `1.2 waits for it; 1.3 and 1.4 name src/a.ts after it`. */
function whoWaits(list: TaskList, waiting: Signs["waiting"]): string {
  const inOrder = waiting.toSorted((a, b) => a.task - b.task);
  const byFile = groupBy(inOrder, ({ file }) => file);
  const groups = [...byFile].slice(0, LISTED).map(([file, ones]) => {
    const ids = ones.map(({ task }) => (list.tasks[task] as Task).id);
    const verb = (plain: string): string => (ids.length === 1 ? `${plain}s` : plain);
    return `${enumerate(ids)} ${file === undefined ? `${verb("wait")} for it` : `${verb("name")} ${file} after it`}`;
  });
  return groups.join("; ");
}

/** `a`, `a and b`, `a, b and c`. */
function enumerate(all: readonly string[]): string {
  const shown =
    all.length > LISTED ? [...all.slice(0, LISTED), `${all.length - LISTED} more`] : all;
  return shown.length === 1
    ? (shown[0] as string)
    : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

import type { Task } from "./model.ts";

/** `[FIX 1.2]` fixes 1.2, `[PART 1.2]` is a part that 1.2 was split into: 1.2 waits for both. */
export type HelpTag = "FIX" | "PART";

/** What moves a task in `tasks prioritize`, in the order in which the tasks come. */
export const SCORE_TAGS = ["BLOCKER", "RISKY", "HIGH-VALUE", "TRIVIAL"] as const;
export type ScoreTag = (typeof SCORE_TAGS)[number];

/** The steps of a test-first cycle, in order. */
const CYCLE = ["RED", "GREEN", "YELLOW"];

const PLAIN_TAGS = new Set<string>(["P", "VERIFY", "GUARD", ...SCORE_TAGS, ...CYCLE]);

/** Whether the text between two brackets is a tag of ours; `[US1]` names a user story. */
export const isTag = (text: string): boolean =>
  PLAIN_TAGS.has(text.toUpperCase()) || /^(?:US-?\d+|(?:FIX|PART)\b.*)$/i.test(text);

export const isVerifyTask = ({ tags }: Pick<Task, "tags">): boolean => tags.includes("VERIFY");

/** It shows that a test fails, which proves nothing about the feature. */
export const isRed = ({ tags }: Pick<Task, "tags">): boolean => tags.includes("RED");

/** It shows that something still works: its Verify passes before the work too. */
export const isGuard = ({ tags }: Pick<Task, "tags">): boolean => tags.includes("GUARD");

/** Tasks whose Verify is not meant to fail before the work and pass after it. A check of a failing test is [RED]. */
export const DESIGNS = ["verify", "red", "guard"] as const;
export type Design = (typeof DESIGNS)[number];

export const designOf = (task: Pick<Task, "tags">): Design | null =>
  isRed(task) ? "red" : isVerifyTask(task) ? "verify" : isGuard(task) ? "guard" : null;

export const isParallel = (task: Task): boolean => task.tags.includes("P") && !isVerifyTask(task);

/** The place of a task in its test-first cycle; -1 if it is not in one. */
export const cycleStep = ({ tags }: Task): number => CYCLE.findIndex((step) => tags.includes(step));

export const helpTag = (kind: HelpTag, id: string): string => `${kind} ${id}`;

/** The ids of the tasks that a task helps, in upper case, as tags are. */
export function helpedIds(task: Task, kind?: HelpTag): string[] {
  const ids: string[] = [];
  for (const tag of task.tags) {
    // A prefix test is cheap, and this looks at every open task at every stop.
    const isHelp =
      (kind !== "PART" && tag.startsWith("FIX ")) || (kind !== "FIX" && tag.startsWith("PART "));
    if (isHelp) ids.push(...(tag.slice(tag.indexOf(" ")).match(/[\w.#-]+/g) ?? []));
  }
  return ids;
}

/** Where a task's line names the tasks that it helps. */
export function findHelpedIds(line: string): { id: string; start: number; end: number }[] {
  return [...line.matchAll(/\[\s*(?:FIX|PART)\s[^\][]+\]/gi)].flatMap((tag) =>
    [...tag[0].matchAll(/(?<=[\s,])[\w.-]+/g)].map(({ 0: id, index }) => {
      const start = tag.index + index;
      return { id, start, end: start + id.length };
    }),
  );
}

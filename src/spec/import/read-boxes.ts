import { type ForeignTask, MAX_TASKS, plain, tooLong } from "./foreign.ts";
import type { Item } from "./items.ts";

const FIELD =
  /^(?:\*\*|__)?(verify|files?|depends(?: on)?|do|done when|commit)(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.*)$/is;
/** Deeper lists are not lists any more. */
const MAX_DEPTH = 30;

/** The tasks of a list, and the items that are neither a task nor part of one. */
export interface ReadBoxes {
  readonly tasks: readonly ForeignTask[];
  readonly unused: readonly Item[];
}

/** A box inside another box is a step of it; inside anything else it is a task. */
export function readTasks(items: readonly Item[], isAsked: (item: Item) => boolean): ReadBoxes {
  const hasBoxes = items.some(({ isDone }) => isDone !== undefined);
  const tasks: ForeignTask[] = [];
  const unused = new Set<Item>();
  /** The items around this one, outermost first. */
  let around: { item: Item; task: number | undefined }[] = [];
  for (const item of items) {
    around = around
      .slice(-MAX_DEPTH)
      .filter((one) => one.item.indent < item.indent && one.item.section === item.section);
    const task = around.findLast((one) => one.task !== undefined)?.task;
    const isTask = task === undefined && (!hasBoxes || item.isDone !== undefined) && isAsked(item);
    if (isTask) {
      if (tasks.length >= MAX_TASKS) throw tooLong();
      const whole = around.at(-1)?.item;
      // It is the heading of this one.
      if (whole !== undefined) unused.delete(whole);
      tasks.push(taskOf(item, whole?.text ?? item.group));
    } else if (task !== undefined) tasks[task] = withItem(tasks[task] as ForeignTask, item);
    else unused.add(item);
    around.push({ item, task: isTask ? tasks.length - 1 : task });
  }
  return { tasks, unused: [...unused] };
}

/** Its own number, if it has one, is only for dependencies: ours is the next. */
const NUMBER =
  /^(?:\*\*)?(?:task\s+)?#?((?:[A-Z]{1,6}-?)?\d+(?:\.\d+)*)(?:[.):]|\*\*|\s+-)?\s+(?=\S)/i;

function taskOf({ text, isDone }: Item, group: string): ForeignTask {
  const [whole = "", id] = NUMBER.exec(text) ?? [];
  const title = plain(text.slice(whole.length), 160) || plain(text, 160);
  const [, on = ""] = /\((?:depends on|after|blocked by)\s([^()]+)\)/i.exec(text) ?? [];
  return {
    id,
    title,
    group: plain(group, 120) || undefined,
    steps: [],
    doneWhen: [],
    files: [],
    verify: undefined,
    isDone: isDone === true,
    dependsOn: partsOf(on, /[,&]|\band\b/)
      .map((one) => one.replace(/^#/, ""))
      .filter(Boolean),
    story: undefined,
  };
}

/** The task with what an item below it says. */
function withItem(task: ForeignTask, { text, isDone }: Item): ForeignTask {
  const [, field = "", value = ""] = FIELD.exec(text) ?? [];
  switch (field.toLowerCase().replace(/ on$|s$/, "")) {
    case "verify": {
      const verify = /^`([^`\n]{1,1000})`/.exec(value)?.[1];
      return verify === undefined ? withDoneWhen(task, value) : { ...task, verify };
    }
    case "file":
      return {
        ...task,
        files: partsOf(value)
          .map((one) => plain(one.replaceAll("`", ""), 200))
          .filter(Boolean),
      };
    case "depend":
      return { ...task, dependsOn: [...task.dependsOn, ...partsOf(value)] };
    case "done when":
      return withDoneWhen(task, value);
    case "do":
      return value.trim() === "" ? task : { ...task, steps: [...task.steps, plain(value)] };
    default: {
      const step = plain(text);
      if (step === "") return task;
      const steps = [...task.steps, isDone === true ? `${step} (ticked there)` : step];
      return { ...task, steps };
    }
  }
}

const withDoneWhen = (task: ForeignTask, value: string): ForeignTask => ({
  ...task,
  doneWhen: [...task.doneWhen, plain(value)],
});

const partsOf = (list: string, between: RegExp | string = ","): string[] =>
  list
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean);

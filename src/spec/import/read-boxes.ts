import { type ForeignTask, MAX_TASKS, plain } from "./foreign.ts";
import { type Item, tooLong } from "./items.ts";

const FIELD =
  /^(?:\*\*|__)?(verify|files?|depends(?: on)?|do|done when|commit)(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.*)$/i;
/** Deeper lists are not lists any more. */
const MAX_DEPTH = 30;

/** A box inside another box is a step of it; inside anything else it is a task. */
export function readTasks(items: readonly Item[], isAsked: (item: Item) => boolean): ForeignTask[] {
  const hasBoxes = items.some(({ isDone }) => isDone !== undefined);
  const tasks: (ForeignTask & { steps: string[] })[] = [];
  /** The items around this one, outermost first. */
  let around: { item: Item; task: number | undefined }[] = [];
  for (const item of items) {
    around = around
      .slice(-MAX_DEPTH)
      .filter((one) => one.item.indent < item.indent && one.item.section === item.section);
    const task = around.findLast((one) => one.task !== undefined)?.task;
    const isTask =
      task === undefined && (hasBoxes ? item.isDone !== undefined : true) && isAsked(item);
    if (isTask) {
      if (tasks.length >= MAX_TASKS) throw tooLong();
      const group = around.at(-1)?.item.text ?? item.group;
      tasks.push(taskOf(item, group));
    } else if (task !== undefined) addTo(tasks, task, item);
    around.push({ item, task: isTask ? tasks.length - 1 : task });
  }
  return tasks;
}

/** Its own number, if it has one, is only for dependencies: ours is the next. */
const NUMBER =
  /^(?:\*\*)?(?:task\s+)?#?((?:[A-Z]{1,6}-?)?\d+(?:\.\d+)*)(?:[.):]|\*\*|\s+-)?\s+(?=\S)/i;

function taskOf({ text, isDone }: Item, group: string): ForeignTask & { steps: string[] } {
  const [whole = "", id] = NUMBER.exec(text) ?? [];
  const title = plain(text.slice(whole.length), 160) || plain(text, 160);
  const [, on = ""] = /\((?:depends on|after|blocked by)\s+([^()]+)\)/i.exec(text) ?? [];
  return {
    id,
    title,
    group: plain(group, 120) || undefined,
    steps: [],
    doneWhen: [],
    files: [],
    verify: undefined,
    isDone: isDone === true,
    dependsOn: on
      .split(/[,&]|\band\b/)
      .map((one) => one.trim().replace(/^#/, ""))
      .filter(Boolean),
    story: undefined,
  };
}

function addTo(
  tasks: (ForeignTask & { steps: string[] })[],
  at: number,
  { text, isDone }: Item,
): void {
  const task = tasks[at] as ForeignTask & { steps: string[] };
  const [, field = "", value = ""] = FIELD.exec(text) ?? [];
  const set = (more: Partial<ForeignTask>): void =>
    void (tasks[at] = { ...task, ...more } as typeof task);
  switch (field.toLowerCase().replace(/ on$|s$/, "")) {
    case "verify": {
      const command = /^`([^`\n]{1,1000})`/.exec(value)?.[1];
      return command === undefined
        ? set({ doneWhen: [...task.doneWhen, plain(value)] })
        : set({ verify: command });
    }
    case "file":
      return set({
        files: value
          .split(",")
          .map((one) => plain(one.replaceAll("`", ""), 200))
          .filter(Boolean),
      });
    case "depend":
      return set({
        dependsOn: [
          ...task.dependsOn,
          ...value
            .split(",")
            .map((one) => one.trim())
            .filter(Boolean),
        ],
      });
    case "done when":
      return set({ doneWhen: [...task.doneWhen, plain(value)] });
    case "do":
      if (value.trim() === "") return;
      return set({ steps: [...task.steps, plain(value)] });
    default: {
      const step = plain(text);
      if (step !== "")
        set({ steps: [...task.steps, isDone === true ? `${step} (ticked there)` : step] });
    }
  }
}

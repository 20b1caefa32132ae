import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { parseCommands } from "../tasks/verify-command.ts";

/** What the user agreed to when they started the run: the commands that may run, and the tasks that have one. */
export interface Agreement {
  readonly commands: readonly string[];
  readonly tasks: readonly string[];
  /** Shown to the user, not answered yet. */
  readonly pending?: readonly Question[];
}

/** A task whose Verify is new to the user, or gone. */
export interface Question {
  readonly task: string;
  /** Empty if the task has lost its Verify. */
  readonly commands: readonly string[];
}

export const commandsOf = (list: TaskList, task: Task): string[] =>
  parseCommands(fieldOf(list, task, "verify") ?? "");

export function agreeToAll(list: TaskList): Agreement {
  const checked = list.tasks.filter((task) => commandsOf(list, task).length > 0);
  return {
    commands: [...new Set(checked.flatMap((task) => commandsOf(list, task)))],
    tasks: checked.map(({ id }) => id),
  };
}

/** Nothing is agreed to: the user is asked about every command. */
export const NOTHING: Agreement = { commands: [], tasks: [] };

/** Commands that the user has not agreed to. Copies of agreed ones, in a fix or a part, count as agreed. */
export const newCommands = (commands: readonly string[], agreed: Agreement): readonly string[] =>
  commands.filter((command) => !agreed.commands.includes(command));

/** What to ask the user before a task can be proven; undefined if nothing. */
export function questionOf(
  agreed: Agreement | undefined,
  task: Task,
  commands: readonly string[],
): Question | undefined {
  if (agreed === undefined) return undefined;
  const fresh = newCommands(commands, agreed);
  if (fresh.length > 0) return { task: task.id, commands: fresh };
  const isGone = commands.length === 0 && agreed.tasks.includes(task.id);
  return isGone ? { task: task.id, commands: [] } : undefined;
}

export const ask = (agreed: Agreement, question: Question): Agreement => ({
  ...agreed,
  pending: [...(agreed.pending ?? []).filter(({ task }) => task !== question.task), question],
});

/** The user approves what they were shown, and nothing else. */
export function agreeToPending({ commands, tasks, pending = [] }: Agreement): Agreement {
  const isGone = (id: string): boolean =>
    pending.some((question) => question.task === id && question.commands.length === 0);
  return {
    commands: [...new Set([...commands, ...pending.flatMap((question) => question.commands)])],
    tasks: tasks.filter((id) => !isGone(id)),
  };
}

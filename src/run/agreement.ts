import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { type Design, designOf } from "../tasks/tags.ts";
import { formatCheck, parseVerify } from "../tasks/verify/verify.ts";
import type { Amendment } from "./journal.ts";
import { agreementKey } from "./lost-tasks.ts";

/** What the user agreed to when they started the run: the commands that may run, and the tasks that have one. */
export interface Agreement {
  readonly commands: readonly string[];
  readonly tasks: readonly string[];
  /** The Verify of each task, by its id; missing in what older versions wrote. */
  readonly checks?: Readonly<Record<string, readonly string[]>>;
  /** Boxes that were ticked when the run began: the user's word. */
  readonly given?: readonly string[];
  /** What tags made of each task then: nobody escapes a check by a tag. Missing in what older versions wrote. */
  readonly designs?: Designs;
  /** Those that were [RED], in what older versions wrote. */
  readonly red?: readonly string[];
  /** Shown to the user, not answered yet. */
  readonly pending?: readonly Question[];
}

type Designs = Readonly<Record<string, Design>>;

/** A task whose Verify is new to the user, or gone. */
export interface Question {
  readonly task: string;
  /** Empty if the task has lost its Verify. */
  readonly commands: readonly string[];
  /** What its tags make of it, if anything. */
  readonly design?: Design;
  /** The task itself is gone. */
  readonly isLost?: true;
}

/** The checks of a task as the user agrees to them: commands with what is expected of each. */
export const commandsOf = (list: TaskList, task: Task): string[] =>
  parseVerify(fieldOf(list, task, "verify") ?? "").checks.map(formatCheck);

/** The user approves the list as it is. */
export function agreeToAll(list: TaskList): Agreement {
  const checked = list.tasks.filter((task) => commandsOf(list, task).length > 0);
  return {
    commands: [...new Set(checked.flatMap((task) => commandsOf(list, task)))],
    tasks: checked.map(agreementKey),
    checks: Object.fromEntries(
      checked
        .filter(
          (task) =>
            !checked.some((one) => one !== task && agreementKey(one) === agreementKey(task)),
        )
        .map((task) => [agreementKey(task), commandsOf(list, task)]),
    ),
    given: list.tasks.filter((task) => task.checked).map(({ id }) => id),
    designs: Object.fromEntries(
      list.tasks.flatMap((task) => {
        const design = designOf(task);
        return design === null ? [] : [[agreementKey(task), design]];
      }),
    ),
  };
}

/** A list that nobody has looked at is run as it is, but nobody has declared its guards, except those of before. */
export function agreeUnseen(list: TaskList, before?: Agreement): Agreement {
  const agreed = agreeToAll(list);
  const designs = Object.entries(agreed.designs ?? {}).filter(
    ([key, design]) => design !== "guard" || before?.designs?.[key] === "guard",
  );
  return { ...agreed, designs: Object.fromEntries(designs) };
}

/** Whether a task is one of those whose test fails only before the work, and was so when the user agreed to it. */
export const isAgreedRed = (agreed: Agreement, task: Task): boolean =>
  agreedDesign(agreed, task) === "red";

/**
 * What a task is by design, as the user agreed to it: a tag that was added since does not count, and nobody declares a
 * guard but the user.
 */
export function agreedDesign(agreed: Agreement | undefined, task: Task): Design | null {
  const design = designOf(task);
  const key = agreementKey(task);
  const { designs, red, tasks } = agreed ?? NOTHING;
  const was = designs === undefined ? red?.includes(key) === true && "red" : designs[key];
  if (design === null || design === was) return design;
  // Older versions noted nothing, or no more than what was [RED].
  const isNoted = designs !== undefined || (design === "red" && red !== undefined);
  return design === "guard" || (isNoted && tasks.includes(key)) ? null : design;
}

/** Nothing is agreed to: the user is asked about every command. */
export const NOTHING: Agreement = { commands: [], tasks: [], designs: {} };

/** Commands that the user has not agreed to. Copies of agreed ones, in a fix or a part, count as agreed. */
export const newCommands = (
  commands: readonly string[],
  { commands: known, checks }: Agreement,
): readonly string[] =>
  commands.filter(
    (command) =>
      !known.includes(command) &&
      // Older versions did not record what is expected of a command.
      !(checks === undefined && known.some((one) => command.startsWith(`${one} (`))),
  );

/** What to ask the user before a task can be proven; undefined if nothing. */
export function questionOf(
  agreed: Agreement,
  task: Task,
  commands: readonly string[],
): Question | undefined {
  const key = agreementKey(task);
  const known = agreed.checks?.[key];
  const isSwapped = known !== undefined && known.join("\n") !== commands.join("\n");
  if (isSwapped || newCommands(commands, agreed).length > 0) return askFor(task, commands);
  const isGone = commands.length === 0 && agreed.tasks.includes(key);
  return isGone ? { task: key, commands: [] } : undefined;
}

/** What to ask about a task that is there. */
export function askFor(task: Task, commands: readonly string[]): Question {
  const design = designOf(task);
  return { task: agreementKey(task), commands, ...(design === null ? {} : { design }) };
}

export const ask = (agreed: Agreement, question: Question): Agreement => ({
  ...agreed,
  pending: [...(agreed.pending ?? []).filter(({ task }) => task !== question.task), question],
});

/** The user approves what they were shown, and nothing else. */
export function agreeToPending({ pending = [], ...agreed }: Agreement): Agreement {
  return pending.reduce(agreeToVerify, agreed);
}

/** The tasks whose Verify the user agreed to in another form before: what the receipt lists. */
export function listAmendments(
  { checks = {} }: Agreement,
  now: Pick<Agreement, "checks">,
  reason: string,
): Amendment[] {
  return Object.entries(checks).flatMap(([task, old]) => {
    const made = now.checks?.[task] ?? [];
    if (old.join("\n") === made.join("\n")) return [];
    return [{ task, old: old.join(", "), new: made.join(", "), reason }];
  });
}

/** With another Verify for a task, or none, and what it is by design. */
export function agreeToVerify(agreed: Agreement, { task, commands, design }: Question): Agreement {
  const { [task]: _, ...others } = agreed.checks ?? {};
  const tasks = agreed.tasks.filter((id) => id !== task);
  if (commands.length === 0) return { ...agreed, tasks, checks: others };
  return {
    ...agreed,
    commands: [...new Set([...agreed.commands, ...commands])],
    tasks: [...tasks, task],
    checks: { ...others, [task]: commands },
    // One design alone would say that no other task had any.
    ...(design === undefined || agreed.designs === undefined
      ? {}
      : { designs: { ...agreed.designs, [task]: design } }),
  };
}

import { answerQuestion, type InboxItem, skipTask, unskipTask } from "../../../../engine/inbox.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor, isInClient } from "../../../../engine/request.ts";
import { resolveProject } from "../../../../engine/resolve-spec.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import { type InboxEntry, isOpen } from "../../../../run/inbox.ts";
import { readState } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { oneLine } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context, Input } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { todoOfIdle } from "../../what-follows.ts";
import { describeItem, readCopies, readItems, renderItem } from "../look/inbox.ts";

export const answer: Command = {
  summary: "answer a question; its task continues with that",
  args: ["<number>", "[text…]"],
  details:
    "An option can be given by its number. Without a text, the question is shown. Answering again replaces the answer.\nNot for agents.",
  async run(context, input) {
    const [number = "", ...words] = input.args;
    const item = findItem(context, input, number);
    if (words.length === 0)
      return {
        text: renderItem(context, item, context.now().at),
        json: describeItem(item),
      };
    const was = item.entry.answer;
    const others = readCopies(context, item).filter(({ spec }) => spec.folder !== item.spec.folder);
    const { entry, skip: skipped } = answerQuestion(context, item, words.join(" "), others);
    const replaced =
      was === undefined
        ? ""
        : ` It replaces "${oneLine(was, 200)}"; what was done with that stays.`;
    const next = await continuation(context, item.spec);
    return {
      text: `${tellAnswered(context, item.spec, entry, skipped)}${replaced}${next}`,
      json: { ...describeItem({ ...item, entry }), replaced: was ?? null },
    };
  },
};

export const skip: Command = {
  summary: "skip a task for now, with what depends on it; the rest continues",
  args: ["<task>"],
  options: { reason: { value: "text", summary: "why, for yourself" } },
  details: "A list with a skipped task is not finished. Not for agents.",
  async run(context, input) {
    const spec = specAtWork(context, input);
    const reason = stringOption(input, "reason") ?? "";
    const { entry, isNew } = skipTask(context, spec, input.args[0] as string, reason);
    return {
      text: `${tellSkipped(context, spec, entry.task, isNew)}${await continuation(context, spec)}`,
      json: { spec: spec.name, task: entry.task, id: entry.id, changed: isNew },
    };
  },
};

export const unskip: Command = {
  summary: "unskip a task",
  args: ["<task>"],
  async run(context, input) {
    const spec = specAtWork(context, input);
    const { task, id } = unskipTask(context, spec, input.args[0] as string);
    return {
      text: `${task} is no longer skipped.${await continuation(context, spec)}`,
      json: { spec: spec.name, task, id },
    };
  },
};

function tellAnswered(
  context: Context,
  spec: Spec,
  { task, answer: said = "" }: InboxEntry,
  skipped: ReturnType<typeof answerQuestion>["skip"],
): string {
  if (skipped === "set") return tellSkipped(context, spec, task);
  if (skipped === "too-late") return `${task} is no longer open; "${oneLine(said, 200)}" is noted.`;
  const isBack = skipped === "taken-back";
  const answered = `"${oneLine(said, 200)}"`;
  const todo = todoOfIdle(context, spec);
  return todo === undefined
    ? `${task} ${isBack ? "is no longer skipped and " : ""}continues with ${answered}.`
    : `${answered} is kept for ${task}${isBack ? ", which is no longer skipped" : ""}. No run is at work; ${todo}.`;
}

const tellSkipped = (context: Context, { project }: Spec, task: string, isNew = true): string =>
  `${task} is ${isNew ? "" : "already "}skipped; to unskip it: ${commandFor(context, project.layout, "unskip")} ${quoteName(task)}.`;

function findItem(context: Context, input: Input, number: string): InboxItem {
  const id = /^#?(\d{1,9})$/.exec(number)?.[1];
  const found = readItems(context, input).filter(({ entry }) => entry.id === Number(id));
  const open = found.filter(({ entry }) => isOpen(entry));
  const [first, ...others] = open.length > 0 ? open : found;
  const inbox = commandFor(context, resolveProject(context).layout, "inbox");
  if (first === undefined)
    throw new Refusal(
      "missing",
      `there is no question "${oneLine(number, 40)}"`,
      `${inbox} lists them`,
    );
  if (others.length === 0) return first;
  throw new Refusal(
    "usage",
    `${[first, ...others].map(({ spec }) => spec.name).join(" and ")} both have a question ${id}`,
    "say which with --spec <name>",
  );
}

/** In the client whose run it is, the agent goes on at once. */
async function continuation(context: Context, spec: Spec): Promise<string> {
  if (!isInClient(context) || readState(spec).kind !== "ok") return "";
  try {
    const next = await whatNext(context, spec);
    return next === undefined ? "" : `\n${next}`;
  } catch (error) {
    // It belongs to another session, which hears of it at its next stop.
    if (error instanceof Refusal) return "";
    throw error;
  }
}

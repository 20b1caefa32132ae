import { type InboxItem, isPending, readInboxes } from "../../../../engine/inbox.ts";
import { recordLeftByDead } from "../../../../engine/left-questions.ts";
import { localTime } from "../../../../engine/local-time.ts";
import { commandFor } from "../../../../engine/request.ts";
import {
  listAllSpecs,
  listSpecsEverywhere,
  resolveProject,
} from "../../../../engine/resolve-spec.ts";
import { findWork } from "../../../../engine/run-trees.ts";
import { planWaiting } from "../../../../facts/waiting.ts";
import { isOpen } from "../../../../run/inbox.ts";
import { readWaitingFacts } from "../../../../runner/read-waiting.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteForShell, quoteName } from "../../../../text/quote.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import type { Command, Context, Input } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { renderAmongSpecs } from "../../waiting-lines.ts";

export const inbox: Command = {
  summary: "what waits for you, and the command that settles it",
  options: { all: { summary: "also what you have answered" } },
  details: "Of every spec, also in the work trees of runs, with the tasks that wait for it too.",
  run(context, input) {
    const items = readItems(context, input);
    const facts = worksIn(context, input).map((spec) => readWaitingFacts(context, spec));
    const waiting = planWaiting(facts);
    const isWaiting = ({ spec, entry }: InboxItem): boolean =>
      waiting.some((one) => one.spec === spec.name && one.id === entry.id);
    const shown = input.options["all"] === true ? items : items.filter(isWaiting);
    const others = waiting.filter(({ id }) => id === undefined);
    const { layout } = resolveProject(context);
    const now = context.now().at;
    return {
      text: [
        ...(shown.length + others.length === 0 ? ["Nothing waits for you."] : []),
        ...shown.map((item) => renderItem(context, item, now)),
        ...(shown.some(({ entry }) => entry.kind === "question")
          ? [`To answer: ${commandFor(context, layout, "answer")} <number> <text>`]
          : []),
        ...renderAmongSpecs(others, paint(context.colour), context.width),
      ].join("\n\n"),
      json: {
        entries: shown.map(describeItem),
        approvals: facts.flatMap(({ spec, approval }) => (approval ? [{ spec, ...approval }] : [])),
        waiting,
      },
      verbatim: true,
    };
  },
};

/** Specs where their newest work is, and copies of them whose questions nobody else has. */
function worksIn(context: Context, input: Input): Spec[] {
  const name = nameOf(input);
  const works = listAllSpecs(context)
    .filter((spec) => name === undefined || spec.name === name)
    .map(findWork);
  const known = new Set(works.map(({ folder }) => folder));
  const asks = (spec: Spec): boolean =>
    findWork(spec).folder === spec.folder && readInboxes([spec]).some(isPending);
  const others = specsIn(context, input)
    .filter(({ folder }) => !known.has(folder))
    .filter(asks);
  return [...works, ...others];
}

function specsIn(context: Context, input: Input): Spec[] {
  const name = nameOf(input);
  return listSpecsEverywhere(context).filter((spec) => name === undefined || spec.name === name);
}

/** Everything that was ever asked in the project; a copy of an entry in a run's work tree takes the place of the other. */
export function readItems(context: Context, input: Input): InboxItem[] {
  const specs = specsIn(context, input);
  recordLeftByDead(context, specs);
  const items = new Map<string, InboxItem>();
  for (const item of readInboxes(specs)) {
    const key = keyOf(item);
    const known = items.get(key);
    if (known === undefined || isOpen(item.entry) || !isOpen(known.entry)) items.set(key, item);
  }
  return [...items.values()];
}

/** The entry wherever it is: the run that is on has to hear of an answer, and so has the spec it came from. */
export const readCopies = (context: Context, item: InboxItem): InboxItem[] =>
  readInboxes(listSpecsEverywhere(context)).filter((one) => keyOf(one) === keyOf(item));

/** A run's work tree begins with a copy of what the user's has. */
const keyOf = ({ spec, entry }: InboxItem): string =>
  JSON.stringify([spec.name, entry.id, entry.askedAt, entry.task]);

export const describeItem = ({ spec, entry, waiting }: InboxItem): object => ({
  ...entry,
  spec: spec.name,
  path: spec.basePath,
  open: isOpen(entry),
  waiting,
});

export function renderItem(context: Context, item: InboxItem, now: string): string {
  const { bold, dim, good } = paint(context.colour);
  const { entry, spec, waiting } = item;
  const { id, kind, task, text, options, answer } = entry;
  const others = waiting.filter((one) => one.toLowerCase() !== task.toLowerCase());
  const [first = "", ...more] = clean(kind === "skip" && text === "" ? "skipped" : text).split(
    "\n",
  );
  return [
    `${bold(String(id))}  ${quoteName(spec.name)} ${task}  ${dim(localTime(entry.askedAt, now))}${kind === "skip" ? dim("  skipped by you") : ""}`,
    ...[first, ...more.slice(0, 10)].map((line) => `   ${line}`),
    ...options.map((option, index) => `   ${index + 1}. ${oneLine(option)}`),
    ...(kind === "question" && isOpen(entry) && options.length > 0
      ? [
          `   to choose 1: ${commandFor(context, spec.project.layout, "answer")} ${id} ${quoteForShell(options[0] ?? "")}`,
        ]
      : []),
    ...(others.length === 0 ? [] : [dim(`   also waiting for this: ${shown(others)}`)]),
    ...(kind === "skip" && isOpen(entry)
      ? [
          `   to unskip it: ${commandFor(context, spec.project.layout, "unskip")} ${quoteName(task)}`,
        ]
      : []),
    ...(answer === undefined ? [] : [good(`   → ${oneLine(answer, 500)}`)]),
  ].join("\n");
}

const shown = (ids: readonly string[]): string =>
  ids.slice(0, 8).join(", ") + (ids.length > 8 ? ` and ${ids.length - 8} more` : "");

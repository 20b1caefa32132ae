import { type InboxItem, isPending, readInboxes } from "../../../../engine/inbox.ts";
import { localTime } from "../../../../engine/local-time.ts";
import { readApproval } from "../../../../engine/read-status.ts";
import { commandFor } from "../../../../engine/request.ts";
import {
  listAllSpecs,
  listSpecsEverywhere,
  resolveProject,
} from "../../../../engine/resolve-spec.ts";
import { findUntaken, findWork } from "../../../../engine/run-trees.ts";
import { isOpen } from "../../../../run/inbox.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import type { Command, Context, Input } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { tellStopped, whyStopped } from "./list.ts";

export const inbox: Command = {
  name: "inbox",
  summary: "what waits for you: questions, approvals, skips",
  group: "look",
  options: { all: { type: "boolean", summary: "also what you have answered" } },
  details: "Of every spec, also in the work trees of runs, with the tasks that wait for it too.",
  run(context, input) {
    const items = readItems(context, input).filter(
      (item) => input.options["all"] === true || isPending(item),
    );
    const approvals = readApprovals(context, input);
    const { layout } = resolveProject(context);
    const now = context.now().at;
    const stopped = listAllSpecs(context).map((spec) => ({
      spec: spec.name,
      ...whyStopped(findWork(spec)),
    }));
    return {
      text: [
        ...(items.length + approvals.length === 0 ? ["Nothing waits for you."] : []),
        ...approvals.map(
          ({ spec, text, todo }) =>
            `${quoteName(spec)} waits for your approval${text === "" ? "" : `: ${text}`}\n   ${todo}`,
        ),
        ...items.map((item) => renderItem(context, item, now)),
        ...(items.some(({ entry }) => entry.kind === "question")
          ? [`To answer: ${commandFor(context, layout, "answer")} <number> <text>`]
          : []),
        ...tellStopped(stopped),
      ].join("\n\n"),
      json: { ok: true, entries: items.map(describeItem), approvals },
    };
  },
};

/** What waits for approval: in the tree of a run, if one has worked on the spec. */
const readApprovals = (context: Context, input: Input) =>
  specsIn(context, input).flatMap((spec) => {
    const found = findUntaken(spec) === undefined ? readApproval(context, spec) : undefined;
    return found === undefined ? [] : [{ spec: spec.name, ...found }];
  });

function specsIn(context: Context, input: Input): Spec[] {
  const name = nameOf(input);
  return listSpecsEverywhere(context).filter((spec) => name === undefined || spec.name === name);
}

/** Everything that was ever asked in the project; a copy of an entry in a run's work tree takes the place of the other. */
export function readItems(context: Context, input: Input): InboxItem[] {
  const items = new Map<string, InboxItem>();
  for (const item of readInboxes(specsIn(context, input))) {
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
      ? [`   to choose 1: ${commandFor(context, spec.project.layout, "answer")} ${id} 1`]
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

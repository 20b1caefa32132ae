import { INTERNAL } from "../../../../engine/read-status.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import type { Entry } from "../../../../run/journal.ts";
import { readAllEntries, readState } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { showAttempt } from "../../../run/attempt-log.ts";
import { wholeNumber } from "../../arguments.ts";
import { wrap } from "../../columns.ts";
import type { Command, Context, Result } from "../../command.ts";
import { repeat } from "../../live.ts";
import { renderEntries } from "../../log-lines.ts";
import { specAtWork } from "../../named-spec.ts";
import { paint } from "../../paint.ts";

/** As `tail -f` does. */
const FOLLOWED = 10;

export const logs: Command = {
  summary: "what happened in a spec, line by line; with --run, what an agent said and did",
  args: ["[spec]"],
  options: {
    follow: {
      short: "f",
      summary: "go on with what happens next, until the run is over; Ctrl-C leaves",
    },
    lines: { short: "n", value: "n", summary: "only the last n" },
    run: {
      summary:
        "an agent's transcript; the run is named by its id, the beginning of its id, or its spec",
    },
    task: { value: "id", summary: "with --run: of this task (the last one)" },
    attempt: { value: "n", summary: "with --run: of this attempt at it (the last one)" },
    raw: { summary: "with --run: as the agent printed it" },
  },
  run(context, input) {
    if (input.options["run"] === true) return showAttempt(context, input);
    const alone = ["task", "attempt", "raw"].find((name) => input.options[name] !== undefined);
    if (alone !== undefined)
      throw new Refusal("usage", `--${alone} is about the agents of a run`, "add --run");
    const spec = specAtWork(context, input, input.args[0]);
    const isFollowing = input.options["follow"] === true;
    if (isFollowing && input.options["json"] === true)
      throw new Refusal("usage", "--follow and --json do not go together", "leave one of them out");
    const lines = wholeNumber(input, "lines") ?? (isFollowing ? FOLLOWED : undefined);
    return isFollowing ? follow(context, spec, lines) : show(context, spec, lines);
  },
};

const readShown = (spec: Spec): Entry[] =>
  readAllEntries(spec).filter(({ event }) => !INTERNAL.has(event));

function show(context: Context, spec: Spec, lines: number | undefined): Result {
  const entries = readShown(spec).slice(-(lines ?? Infinity));
  const rows = renderEntries(entries, paint(context.colour), undefined, context.now().at);
  return {
    text: rows.join("\n") || `"${spec.name}" has not been run yet`,
    json: {
      spec: spec.name,
      entries: entries.map(({ at, event, task, note, agent, evidence }) => ({
        at,
        event,
        task,
        note,
        agent,
        evidence,
      })),
    },
  };
}

/** The journal may be cut at its beginning while it grows: what was shown last is looked for, not counted. */
async function follow(context: Context, spec: Spec, lines: number | undefined): Promise<Result> {
  let last: Entry | undefined;
  await repeat(() => {
    // First: what is written before the state goes is still read below.
    const isOver = readState(spec).kind === "absent";
    const all = readShown(spec);
    const seen = last === undefined ? -1 : all.findLastIndex((one) => isSame(one, last));
    const fresh = last === undefined ? all.slice(-(lines ?? Infinity)) : all.slice(seen + 1);
    const rows = renderEntries(fresh, paint(context.colour), last, context.now().at);
    last = all.at(-1) ?? last;
    return rows.every((row) => context.write(`${fit(context, row)}\n`)) && !isOver;
  });
  return { text: "" };
}

const isSame = (a: Entry, b: Entry | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

const fit = ({ width }: Context, row: string): string =>
  width === undefined ? row : wrap(row, width);

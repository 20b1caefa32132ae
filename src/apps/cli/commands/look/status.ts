import { recordLeftByDead } from "../../../../engine/left-questions.ts";
import { readProgress, readStatus } from "../../../../engine/read-status.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { isRunTree } from "../../../../engine/run-trees.ts";
import { lastCommand } from "../../../../runner/go-on.ts";
import { readWaiting } from "../../../../runner/read-waiting.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { type Progress, renderStatus, renderStatusLine } from "../../status-lines.ts";
import { watch } from "../../watch.ts";

export const status: Command = {
  summary: "where a spec is, what happened last, what to do next",
  args: ["[spec]"],
  options: {
    watch: { summary: "show it live until the run is over; q or Ctrl-C leaves" },
    line: { summary: "one line, for a client's status line; empty without a spec" },
    check: { summary: "exit with 1 unless every task is done" },
  },
  run(context, input) {
    if (input.options["line"] === true) return onOneLine(context, input);
    if (input.options["watch"] === true) return live(context, input);
    return now(context, input);
  },
};

function now(context: Context, input: Input): Result {
  const spec = specAtWork(context, input, input.args[0]);
  recordLeftByDead(context, [spec]);
  const report = readStatus(context, spec, () => lastCommand(spec.project.root, spec.name));
  const waiting = readWaiting(context, [spec]);
  const isDone = report.total > 0 && report.done === report.total;
  return {
    ok: input.options["check"] !== true || isDone,
    text: [
      renderStatus({ report, waiting }, context, spec.project.layout),
      ...(isRunTree(spec) ? [paint(context.colour).dim(`tree   ${spec.project.root}`)] : []),
    ].join("\n"),
    json: { ...report, waiting, ...(isRunTree(spec) ? { tree: spec.project.root } : {}) },
  };
}

/** A status line is asked for everywhere and all the time: it has nothing to say rather than an error. */
function onOneLine(context: Context, input: Input): Result {
  try {
    const report = readProgress(context, specAtWork(context, input, input.args[0]));
    const line = renderStatusLine(report, context.colour);
    return { text: line, json: { line, ...report } };
  } catch {
    return { text: "", json: { line: "" } };
  }
}

/** What becomes of the run when nobody watches it. */
function leavingOf({ standing }: Progress): string {
  if (standing === "paused") return "the run is paused";
  return standing.startsWith("waiting") ? "the run waits for you" : "the run continues";
}

async function live(context: Context, input: Input): Promise<Result> {
  if (input.options["json"] === true)
    throw new Refusal("usage", "--watch and --json do not go together", "leave one of them out");
  const spec = specAtWork(context, input, input.args[0]);
  const last = await watch(context, () => {
    const report = readProgress(context, spec);
    return {
      screen: now(context, input).text,
      line: renderStatusLine(report, context.colour),
      isOver: !report.on || report.standing === "stopped",
      leaving: leavingOf(report),
    };
  });
  // In a pipe every change has been told.
  return { text: context.width === undefined ? "" : last.screen };
}

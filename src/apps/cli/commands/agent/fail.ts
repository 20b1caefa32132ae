import { prepareRun } from "../../../../engine/prepare-run.ts";
import { recordFailure, type RecordedFailure } from "../../../../engine/record-failure.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { excerptFailure } from "../../../../run/signal.ts";
import { LIMITS } from "../../../../run/state.ts";
import { stringOption } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const fail: Command = {
  summary: "an attempt at a task failed: count it, and try again, fix it first, or stop",
  args: ["<task>"],
  options: { reason: { value: "text", summary: "why, in one sentence" } },
  details: `In recovery mode, and always for a [VERIFY] task, a task "x.y.n [FIX x.y]" is added after the failed one, with the reason, the
same Files and the same Verify. It comes first, then the task is tried again. There are at most ${LIMITS.maxFixTasksPerOriginal} for a task, and a fix that fails gets its own
fix, ${LIMITS.maxFixTaskDepth} deep; beyond that the task is just tried again until its attempts are used up. The same reason given twice in a row
counts once.`,
  async run(context, input) {
    const reason = excerptFailure(stringOption(input, "reason") ?? "", 500);
    if (reason === "") {
      throw new Refusal(
        "usage",
        "fail needs --reason",
        'say why in one sentence: --reason "the test for … fails"',
      );
    }
    const spec = specOf(context, input);
    const recorded = recordFailure(context, spec, { id: input.args[0] as string, reason });
    await prepareRun(context, spec);
    const { id } = recorded.task;
    if (recorded.kind === "refused") {
      const { why } = recorded;
      return { ok: false, text: why, json: { task: id, refusal: why } };
    }
    const { failed, left, repeated, fix, notes } = recorded;
    return {
      text: [describe(recorded), ...notes.map((note) => `(${note}.)`)].join(" "),
      json: { task: id, failed, left, repeated, fix: fix?.id ?? null, notes },
    };
  },
};

function describe(recorded: Extract<RecordedFailure, { kind: "recorded" }>): string {
  const { task, failed, left, fix, maxAttempts } = recorded;
  if (left === 0) {
    return `All ${maxAttempts} attempts at ${task.id} failed. The loop stops at the end of your turn: tell the user why, and what you would try.`;
  }
  const fact = `Attempt ${failed} of ${maxAttempts} at ${task.id} failed.`;
  return fix === undefined
    ? `${fact} End your turn to get it again.`
    : `${fact} ${fix.id} fixes it and comes first, then ${task.id} again. End your turn to get it.`;
}

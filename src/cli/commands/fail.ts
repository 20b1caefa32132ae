import { attemptAt } from "../../core/brief.ts";
import type { Entry } from "../../core/journal.ts";
import { oneLine } from "../../prompts/template.ts";
import type { Task } from "../../tasks/types.ts";
import { stringOption } from "../arguments.ts";
import { CliError, type Command, EXIT, type Result } from "../command.ts";
import { openSpec } from "../open.ts";
import { type Run, withRun } from "../run.ts";
import { requireTask } from "./done.ts";

export const fail: Command = {
  name: "fail",
  summary: "an attempt at a task failed: count it, and try again or stop",
  args: ["<task>"],
  group: "agent",
  options: { reason: { type: "string", value: "text", summary: "why, in one sentence" } },
  run(context, input) {
    const reason = oneLine(stringOption(input, "reason") ?? "", 500);
    if (reason === "") {
      throw new CliError(
        EXIT.usage,
        "fail needs --reason",
        'say why in one sentence: --reason "the test for … fails"',
      );
    }
    return withRun(context, openSpec(context, input), (run) =>
      count(run, requireTask(run.list, input), reason),
    );
  },
};

function count(run: Run, task: Task, reason: string): Result {
  if (task.checked) {
    const text = `${task.id} is ticked, so it has not failed; clear its box in tasks.md if that is wrong.`;
    return { code: EXIT.refused, text, json: { ok: false, task: task.id, refusal: text } };
  }
  const repeated = isRepeated(run.disk.last, task, reason);
  const attempt = attemptAt(task, run.state, run.loop) + (repeated ? 0 : 1);
  if (!repeated) {
    const loop = {
      ...run.loop,
      attempts: { ...run.loop.attempts, [task.id]: attempt },
      lastError: oneLine(reason, 300),
    };
    const isCurrent = run.state.taskIndex === task.index || run.state.taskIndex === undefined;
    run.apply({
      event: "failed",
      task: task.id,
      note: reason,
      loop,
      state: isCurrent ? { taskIteration: attempt } : {},
    });
  }
  const { maxAttempts } = run.loop;
  const left = Math.max(0, maxAttempts - attempt + 1);
  return {
    text:
      left > 0
        ? `Attempt ${attempt - 1} of ${maxAttempts} at ${task.id} failed. End your turn to get it again.`
        : `All ${maxAttempts} attempts at ${task.id} failed. The loop stops at the end of your turn: tell the user why, and what you would try.`,
    json: { ok: true, task: task.id, failed: attempt - 1, left, repeated },
  };
}

/** The same failure told twice in a row is one failure: commands are safe to repeat. */
const isRepeated = (last: Entry | undefined, task: Task, reason: string): boolean =>
  last?.event === "failed" && last.task === task.id && last.note === reason;

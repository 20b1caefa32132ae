import { addHistory, type Failure, planFailure } from "../../../../run/change/recovery.ts";
import { oneLine } from "../../../../text/template.ts";
import { writeTasks } from "../../../../store/spec-files.ts";
import { readProjectFile, writeProjectFile } from "../../../../store/project-file.ts";
import { faultIn, FileFault, MAX_BYTES } from "../../../../store/read.ts";
import type { Spec } from "../../../../store/spec.ts";
import type { Task } from "../../../../tasks/model.ts";
import { stringOption } from "../../arguments.ts";
import { markAttempts } from "../../../../engine/attempts.ts";
import { CliError, type Command, EXIT, type Result } from "../../command.ts";
import { openSpec } from "../../../../engine/resolve-spec.ts";
import { briefOf, requireExecution, type Run, withRun } from "../../../../engine/run.ts";
import { requireTask } from "./done.ts";

export const fail: Command = {
  name: "fail",
  summary: "an attempt at a task failed: count it, and try again, mend it first, or stop",
  args: ["<task>"],
  group: "agent",
  options: { reason: { type: "string", value: "text", summary: "why, in one sentence" } },
  details: `In recovery mode a task "x.y.n [FIX x.y]" is put behind the failed one: with the reason, the same Files and the same
Verify. It comes first, then the task is tried again. There are at most 3 for a task, and a fix that fails gets one of its
own, 3 deep; beyond that the task is just tried again until its attempts are used up. The same reason told twice in a row
counts once.`,
  run(context, input) {
    const reason = oneLine(stringOption(input, "reason") ?? "", 500);
    if (reason === "") {
      throw new CliError(
        EXIT.usage,
        "fail needs --reason",
        'say why in one sentence: --reason "the test for … fails"',
      );
    }
    const spec = openSpec(context, input);
    const { out, result } = withRun(context, spec, (run) => {
      requireExecution(run);
      const task = requireTask(run.list, input);
      const others = briefOf(run).current.filter(({ id }) => id !== task.id);
      return { out: new Set(others.map(({ id }) => id)), result: count(run, task, reason) };
    });
    withRun(context, spec, (run) => markAttempts(spec, briefOf(run), out));
    return result;
  },
};

function count(run: Run, task: Task, reason: string): Result {
  if (task.checked) {
    const text = `${task.id} is ticked, so it has not failed; clear its box in tasks.md if that is wrong.`;
    return { code: EXIT.refused, text, json: { ok: false, task: task.id, refusal: text } };
  }
  const failure = planFailure(run, run.disk.last, task, reason);
  if (failure.tasks !== undefined) writeTasks(run.spec, failure.tasks);
  for (const write of failure.writes) run.apply(write);
  const fault = failure.history === undefined ? undefined : keepHistory(run.spec, failure.history);
  const notes = [failure.noFix, fault].filter((note) => note !== undefined);
  const { failed, left, repeated, fix } = failure;
  return {
    text: [whatFollows(run, task, failure), ...notes.map((note) => `(${note}.)`)].join(" "),
    json: { ok: true, task: task.id, failed, left, repeated, fix: fix?.id ?? null, notes },
  };
}

function whatFollows({ loop }: Run, task: Task, { failed, left, fix }: Failure): string {
  const { maxAttempts } = loop;
  if (left === 0) {
    return `All ${maxAttempts} attempts at ${task.id} failed. The loop stops at the end of your turn: tell the user why, and what you would try.`;
  }
  const fact = `Attempt ${failed} of ${maxAttempts} at ${task.id} failed.`;
  return fix === undefined
    ? `${fact} End your turn to get it again.`
    : `${fact} ${fix.id} mends it and comes first, then ${task.id} again. End your turn to get it.`;
}

/** The history is for people: that it cannot be written must not undo a count that has been. */
function keepHistory(spec: Spec, line: string): string | undefined {
  return faultIn(() => {
    const old = readProjectFile(spec.project, spec.progress, MAX_BYTES.tasks);
    if (old.kind === "unreadable") throw new FileFault(spec.progress, old.why);
    const [text, encoding] = old.kind === "ok" ? [old.text, old.encoding] : ["", "utf8" as const];
    writeProjectFile(spec.project, spec.progress, addHistory(text, line), encoding);
  });
}

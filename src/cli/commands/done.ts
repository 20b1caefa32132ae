import { planBrief } from "../../core/brief.ts";
import { cacheOf } from "../../core/decide.ts";
import { locate } from "../../core/position.ts";
import { judge } from "../../core/report.ts";
import { readDisk, writeTasks } from "../../store/disk.ts";
import { setChecked } from "../../tasks/edit.ts";
import { findTask } from "../../tasks/find.ts";
import { parseTasks } from "../../tasks/parse.ts";
import type { Task } from "../../tasks/types.ts";
import { stringOption } from "../arguments.ts";
import { CliError, type Command, type Context, EXIT, type Input, type Result } from "../command.ts";
import { openSpec } from "../open.ts";
import { type Run, tasksOf, withRun } from "../run.ts";
import { whatFollows } from "./next.ts";

export const done: Command = {
  name: "done",
  summary: "a task is done: check the report, tick the box, advance",
  args: ["<task>"],
  group: "agent",
  options: {
    report: {
      type: "string",
      value: "text|-",
      summary: "what the executor reported; - reads it from standard input",
    },
  },
  details:
    "Calling it again for a task that is ticked changes nothing. A report that contradicts itself, or does not say\nTASK_COMPLETE (VERIFICATION_PASS for a [VERIFY] task) on a line of its own, is refused with exit code 1.",
  run(context, input) {
    const spec = openSpec(context, input);
    const disk = readDisk(spec);
    // A run that has just finished has no state any more; repeating its last report is still no error.
    if (disk.state.kind === "absent") {
      const task = requireTask(tasksOf(context, spec, disk), input);
      if (task.checked) return already(task, "");
    }
    const report = readReport(context, input);
    return withRun(context, spec, (run) => accept(run, requireTask(run.list, input), report));
  },
};

function accept(run: Run, task: Task, report: string | undefined): Result {
  if (task.checked) return already(task, whatFollows(run));
  if (report === undefined) {
    throw new CliError(
      EXIT.usage,
      `done ${task.id} needs --report`,
      "pass on what the executor reported, --report - reads it from standard input",
    );
  }
  const refusal = judge({ task, report });
  if (refusal !== undefined) {
    run.apply({ event: "refused", task: task.id, note: refusal, loop: run.loop });
    return { code: EXIT.refused, text: refusal, json: { ok: false, task: task.id, refusal } };
  }
  const text = setChecked(run.list, task, true);
  writeTasks(run.spec, text);
  const list = parseTasks(text);
  const { [task.id]: _, ...attempts } = run.loop.attempts;
  const loop = { ...run.loop, attempts };
  const brief = planBrief(run.spec, list, { ...run.state, taskIteration: 1 }, loop);
  run.apply({ event: "done", task: task.id, loop, state: cacheOf(brief) });
  const { open, total } = locate(list);
  return {
    text: `${task.id} is done, ${total - open.length} of ${total}. ${whatFollows({ ...run, list })}`,
    json: {
      ok: true,
      task: task.id,
      already: false,
      open: open.length,
      total,
      next: brief.current.map(({ id }) => id),
    },
  };
}

const already = (task: Task, follows: string): Result => ({
  text: `${task.id} is already done. ${follows}`.trim(),
  json: { ok: true, task: task.id, already: true },
});

export function requireTask(list: Run["list"], input: Input): Task {
  const [id] = input.args as [string];
  const task = findTask(list, id);
  if (task !== undefined) return task;
  const open = locate(list)
    .open.slice(0, 5)
    .map((one) => one.id);
  throw new CliError(
    EXIT.missing,
    `there is no task "${id}" in tasks.md`,
    `open tasks: ${open.join(", ") || "none"}`,
  );
}

function readReport(context: Context, input: Input): string | undefined {
  const report = stringOption(input, "report");
  return report === "-" ? context.readStdin() : report;
}

import { locate } from "../../../../tasks/position.ts";
import { clean } from "../../../../text/template.ts";
import { readDisk } from "../../../../store/spec-files.ts";
import { findTask } from "../../../../tasks/find.ts";
import type { Task, TaskList } from "../../../../tasks/model.ts";
import { stringOption } from "../../arguments.ts";
import { type Settled, settleClaim } from "../../../../engine/settle-claim.ts";
import {
  CliError,
  type Command,
  type Context,
  EXIT,
  type Input,
  type Result,
} from "../../command.ts";
import { openSpec } from "../../../../engine/resolve-spec.ts";
import { tasksOf } from "../../../../engine/run.ts";
import { whatFollows } from "./next.ts";

export const done: Command = {
  name: "done",
  summary: "a task is done: check the report, run its Verify, tick the box, advance",
  args: ["<task>"],
  group: "agent",
  options: {
    report: {
      type: "string",
      value: "text|-",
      summary: "what the executor reported; - reads it from standard input",
    },
  },
  details: `Refused, with exit code 1 and a sentence that says what to do: a report that contradicts itself or does not say
TASK_COMPLETE (VERIFICATION_PASS for a [VERIFY] task) on a line of its own, files of the spec that should be committed
and are not, boxes ticked that nobody reported, and a Verify command that fails when we run it. Calling it again for a
task that is done changes nothing.`,
  async run(context, input) {
    const spec = openSpec(context, input);
    const disk = readDisk(spec);
    const task = requireTask(tasksOf(context, spec, disk), input);
    const report = readReport(context, input);
    // A run that has just finished has no state any more; repeating its last report is still no error.
    if (task.checked && (disk.state.kind === "absent" || report === undefined)) {
      return already(
        task,
        disk.state.kind === "absent" ? "" : whatFollows(tasksOf(context, spec, disk), task),
      );
    }
    if (report === undefined) {
      throw new CliError(
        EXIT.usage,
        `done ${task.id} needs --report`,
        "pass on what the executor reported, --report - reads it from standard input",
      );
    }
    return render(await settleClaim(context, spec, { id: task.id, report }));
  },
};

function render(settled: Settled | undefined): Result {
  if (settled === undefined)
    throw new CliError(EXIT.missing, "the task has been taken out of tasks.md");
  const { task } = settled;
  if (settled.kind === "already") return already(task, whatFollows(settled.list, task));
  if (settled.kind === "refused") {
    const { refusal, evidence } = settled;
    return {
      code: EXIT.refused,
      text: clean(refusal),
      json: { ok: false, task: task.id, refusal, evidence },
    };
  }
  const { open, total } = locate(settled.list);
  const notes = settled.notes.length > 0 ? ` (${clean(settled.notes.join("; "))})` : "";
  return {
    text: `${task.id} is done${notes}, ${total - open.length} of ${total}. ${whatFollows(settled.list, task)}`,
    json: {
      ok: true,
      task: task.id,
      already: false,
      open: open.length,
      total,
      next: settled.next,
      evidence: settled.evidence,
      notes: settled.notes,
    },
  };
}

const already = (task: Task, follows: string): Result => ({
  text: `${task.id} is already done. ${follows}`.trim(),
  json: { ok: true, task: task.id, already: true },
});

export function requireTask(list: TaskList, input: Input): Task {
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

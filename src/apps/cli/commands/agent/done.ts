import type { ClaimResult } from "../../../../engine/claim-verdict.ts";
import { prepareRun } from "../../../../engine/prepare-run.ts";
import { recordFailure } from "../../../../engine/record-failure.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { settleClaim } from "../../../../engine/settle-claim.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import { requireTask, tasksOf } from "../../../../engine/with-run.ts";
import { worksItself } from "../../../../layouts/layout.ts";
import { claimsCompletion } from "../../../../run/claim/judge-claim.ts";
import { excerptFailure, isReport } from "../../../../run/signal.ts";
import { readDisk } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import type { Task } from "../../../../tasks/model.ts";
import { locate } from "../../../../tasks/position.ts";
import { clean } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import { type Command, type Context, EXIT, type Input, type Result } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { whatFollows } from "../../what-follows.ts";

export const done: Command = {
  summary: "a task is done: check the report, run its Verify, tick the box, advance",
  args: ["<task>"],
  options: {
    report: {
      value: "text|-",
      summary: "what the executor reported; - reads it from standard input",
    },
  },
  details: `Refused, with exit code 1 and what to do about it: a report that contradicts itself or does not say
TASK_COMPLETE (VERIFICATION_PASS for a [VERIFY] task) on a line of its own, work that is not committed, boxes ticked
that nobody reported, a task for which nothing has changed (unless the report says NO_CHANGE: why), and a Verify that
does not pass when we run it. Calling it again for a task that is done changes nothing.`,
  async run(context, input) {
    const spec = specOf(context, input);
    const disk = readDisk(spec);
    const list = tasksOf(spec, disk.tasks);
    const task = requireTask(list, input.args[0] as string);
    const report = readReport(context, input);
    // A run that has just finished has no state, but repeating its last report is not an error.
    if (task.checked && (disk.state.kind === "absent" || report === undefined)) {
      return already(task, disk.state.kind === "absent" ? "" : whatFollows(list, task));
    }
    if (report === undefined) {
      throw new Refusal(
        "usage",
        `done ${task.id} needs --report`,
        "pass on what the executor reported, --report - reads it from standard input",
      );
    }
    const isOwn = worksItself(spec.project.layout);
    if (isOwn && isReport(report) && !claimsCompletion(report))
      return noteFailed(context, spec, task, report);
    const settled = await settleClaim(context, spec, { id: task.id, report });
    if (settled?.kind !== "done") return render(settled);
    if (!isOwn) await prepareRun(context, spec);
    return render(settled, isOwn ? await whatNext(context, spec) : undefined);
  },
};

/** An agent that works itself says here, too, that it cannot. */
async function noteFailed(
  context: Context,
  spec: Spec,
  task: Task,
  report: string,
): Promise<Result> {
  const reason = excerptFailure(report, 500);
  const recorded = recordFailure(context, spec, { id: task.id, reason });
  const next = await whatNext(context, spec);
  const isNoted = recorded.kind === "recorded";
  const fact = isNoted ? `Noted: ${task.id} is not done.` : recorded.why;
  return {
    ok: isNoted,
    code: EXIT.ok,
    text: `${clean(fact)} ${renderFollows(next, "End your turn.")}`,
    json: { task: task.id, failed: isNoted },
  };
}

/** The next task, word for word, if it is known here. */
const renderFollows = (next: string | undefined, otherwise: string): string =>
  next === undefined ? otherwise : `Next:\n\n${next}`;

function render(settled: ClaimResult | undefined, next?: string): Result {
  if (settled === undefined) throw new Refusal("missing", "the task is no longer in tasks.md");
  const { task } = settled;
  if (settled.kind === "already") return already(task, whatFollows(settled.list, task));
  if (settled.kind === "refused") {
    const { refusal, evidence } = settled;
    return {
      ok: false,
      text: clean(refusal),
      json: { task: task.id, refusal, evidence },
    };
  }
  const { open, total } = locate(settled.list);
  const notes = settled.notes.length > 0 ? ` (${clean(settled.notes.join("; "))})` : "";
  return {
    text: `${task.id} is done${notes}, ${total - open.length} of ${total}. ${renderFollows(next, whatFollows(settled.list, task))}`,
    json: {
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
  json: { task: task.id, already: true },
});

function readReport(context: Context, input: Input): string | undefined {
  const report = stringOption(input, "report");
  return report === "-" ? context.readStdin() : report;
}

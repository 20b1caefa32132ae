import type { VerifyOptions } from "../exec/verify-runner.ts";
import { readHeadCommit } from "../git/history.ts";
import { readUncommitted } from "../git/uncommitted.ts";
import { askAbout } from "../run/agreement-lines.ts";
import {
  type Agreement,
  ask,
  commandsOf,
  NOTHING,
  type Question,
  questionOf,
} from "../run/agreement.ts";
import { planDone, planRefusal } from "../run/claim/claim-outcome.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { judgeClaim } from "../run/claim/judge-claim.ts";
import { isSettled } from "../run/claim/receipt.ts";
import {
  describeEvidence,
  fitEvidence,
  judgeEvidence,
  planVerification,
} from "../run/claim/verification.ts";
import { evidencePolicy } from "../run/trust.ts";
import { mergeProgress } from "../store/progress.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import { taskText } from "../tasks/edit/tick.ts";
import { findTask } from "../tasks/find.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { changesOutside, writeAttempts } from "./attempts.ts";
import { commitFinished } from "./document-commit.ts";
import { writeReceipt } from "./receipt.ts";
import type { Request } from "./request.ts";
import { handOutOf, requireExecution, type Run, withRunAsync } from "./with-run.ts";

/** The result of a claim that a task is done. */
export type ClaimResult =
  | { readonly kind: "already"; readonly task: Task; readonly list: TaskList }
  | {
      readonly kind: "refused";
      readonly task: Task;
      readonly refusal: string;
      readonly evidence: readonly Evidence[];
      /** Nothing that the agent does will change it: the user has to decide. */
      readonly waits?: true;
    }
  | {
      readonly kind: "done";
      readonly task: Task;
      readonly list: TaskList;
      readonly evidence: readonly Evidence[];
      readonly notes: readonly string[];
      /** What to do next. */
      readonly next: readonly string[];
    };

export interface ClaimInput {
  readonly id: string;
  readonly report: string;
  /** The sub-agent that reported, if we heard it ourselves. */
  readonly agent?: string;
}

/**
 * Runs every check on a claim, then the task's Verify, and only then ticks the box. The command runs without the lock,
 * which others may need meanwhile; the result is then judged against the disk as it is by that time.
 */
export async function settleClaim(
  request: Request,
  spec: Spec,
  claim: ClaimInput,
): Promise<ClaimResult | undefined> {
  const first = await withRunAsync(request, spec, (run) => {
    requireExecution(run);
    const task = findTask(run.list, claim.id);
    if (task === undefined) return undefined;
    const entries = readAllEntries(spec);
    if (task.checked && isSettled(entries, task))
      return { settled: { kind: "already", task, list: run.list } as const };
    const unproven = groupOf(run.list, task).filter((one) => !isSettled(entries, one));
    const outside = changesOutside(spec, run.list, task, run.loop);
    const refusal = judgeClaim({
      task,
      report: claim.report,
      list: run.list,
      ticked: run.loop.ticked,
      peers: unproven.map(({ id }) => id),
      uncommitted: run.state.commitSpec === true ? readUncommitted(spec) : [],
      outside: spec.project.settings.files === "enforce" ? outside : [],
    });
    if (refusal !== undefined) return { settled: refuse(run, task, claim, refusal, []) };
    const evidence = evidencePolicy(spec.project.settings, run.disk.record);
    const plan = planVerification(run.list, task, { ...spec.project.settings, evidence });
    if (plan.barred !== undefined && evidence === "required") {
      const barred = `${task.id} cannot be proven: ${plan.note}. The user may add it there, or set evidence: recorded in ${spec.project.user.path}.`;
      return { settled: refuse(run, task, claim, barred, []) };
    }
    const agreed = readAgreement(spec) ?? (run.disk.record === undefined ? undefined : NOTHING);
    const question =
      evidence === "off" ? undefined : questionOf(agreed, task, commandsOf(run.list, task));
    if (agreed !== undefined && question !== undefined)
      return { settled: wait(run, task, claim, ask(agreed, question), question) };
    const notes = [
      ...(plan.note === undefined ? [] : [plan.note]),
      ...(outside.length === 0 ? [] : [`it also changed ${outside.slice(0, 5).join(", ")}`]),
    ];
    const { commands } = plan;
    return {
      commands,
      notes,
      head: run.disk.head,
      text: taskText(run.list, task),
      env: run.disk.record?.env,
    };
  });
  if (first === undefined || "settled" in first) return first?.settled;

  const evidence = await gather(request, spec, first);
  return withRunAsync(request, spec, (run) => {
    const task = findTask(run.list, claim.id);
    if (task === undefined) return undefined;
    // The hook and the coordinator may report the same work at the same time: the first to finish settles it.
    if (task.checked && isSettled(readAllEntries(spec), task))
      return { kind: "already", task, list: run.list };
    const refusal =
      first.commands.length > 0 && taskText(run.list, task) !== withBox(first.text, task)
        ? `${task.id} was changed in tasks.md while its Verify ran, so the result does not count. Report it again.`
        : evidencePolicy(spec.project.settings, run.disk.record) === "required"
          ? judgeEvidence(task, evidence)
          : undefined;
    if (refusal !== undefined) return refuse(run, task, claim, refusal, evidence);
    return accept(run, task, claim, evidence, first.notes);
  });
}

/** One after the other, stopping at a failure: the first that fails is what the agent has to fix. */
async function gather(
  { verifier, signal }: Request,
  spec: Spec,
  {
    commands,
    head,
    env,
  }: Pick<VerifyOptions, "env"> & { commands: readonly string[]; head: string },
): Promise<Evidence[]> {
  const { root, settings } = spec.project;
  const evidence: Evidence[] = [];
  const commit = commands.length === 0 ? "" : await readHeadCommit(root, head, signal());
  for (const command of commands) {
    const timeoutMs = settings.verifyTimeoutSeconds * 1000;
    const result = await verifier.run(command, {
      root,
      commit,
      timeoutMs,
      env,
      signal: signal(),
    });
    evidence.push(result);
    if (result.outcome !== "passed") break;
  }
  return evidence;
}

/** The loop waits for the user's answer: we do not run commands that an agent put there. */
function wait(
  run: Run,
  task: Task,
  claim: ClaimInput,
  agreed: Agreement,
  question: Question,
): ClaimResult {
  const { layout } = run.spec.project;
  const approve = layout.voice.command("approve");
  writeAgreement(run.spec, agreed);
  const reason = askAbout(layout, question);
  run.apply({
    event: "awaiting",
    task: task.id,
    note: reason,
    ...who(claim),
    loop: run.loop,
    state: { awaitingApproval: true, approvalReason: reason },
  });
  const refusal = `${task.id} cannot be proven yet: its Verify was changed in tasks.md after the user started the run, and is not run until they type ${approve}. Tell them so and end your turn.`;
  return { kind: "refused", task, refusal, evidence: [], waits: true };
}

function refuse(
  run: Run,
  task: Task,
  claim: ClaimInput,
  refusal: string,
  evidence: readonly Evidence[],
): ClaimResult {
  const { tasks, write } = planRefusal(run, task, {
    note: refusal,
    ...who(claim),
    ...withEvidence(evidence),
  });
  if (tasks !== undefined) writeTasks(run.spec, tasks);
  run.apply(write);
  return { kind: "refused", task, refusal, evidence };
}

function accept(
  run: Run,
  task: Task,
  claim: ClaimInput,
  evidence: readonly Evidence[],
  more: readonly string[],
): ClaimResult {
  const group = groupOf(run.list, task);
  const isLast = group.every((one) => one.checked || one.index === task.index);
  // Before the box: once it is ticked nobody reports the task again, and its notes would never be merged.
  const apart = isLast ? mergeProgress(run.spec, group) : undefined;
  const kept = apart === undefined ? [] : [`its notes are not in .progress.md: ${apart}`];
  const notes = [...evidence.map(describeEvidence), ...more, ...kept];
  const { tasks, write, list, open, brief } = planDone(run, task, run.disk.head, {
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
    ...who(claim),
    ...withEvidence(evidence),
  });
  if (tasks !== undefined) writeTasks(run.spec, tasks);
  run.apply(write);
  // The rest of its group is already handed out: what they have changed so far belongs to them.
  const before = new Set(handOutOf(run).current.map(({ id }) => id));
  writeAttempts(run.spec, brief, before);
  if (open.length === 0) {
    writeReceipt(run.spec, list);
    commitFinished(run.spec, run.state);
  }
  const next = brief.current.map(({ id }) => id);
  return { kind: "done", task, list, evidence, notes, next };
}

/** Only its box may change in the meantime. */
const withBox = (text: string, { checked }: Task): string =>
  text.replace(/\[[ xX]\]/, checked ? "[x]" : "[ ]");

const who = ({ agent }: ClaimInput): { agent?: string } => (agent === undefined ? {} : { agent });

const withEvidence = (evidence: readonly Evidence[]): { evidence?: readonly Evidence[] } =>
  evidence.length === 0 ? {} : { evidence: fitEvidence(evidence) };

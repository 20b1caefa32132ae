import { judgeSettled } from "../facts/task-facts.ts";
import { askAbout } from "../run/agreement-lines.ts";
import { type Agreement, ask, type Question } from "../run/agreement.ts";
import { planDone, planRefusal, type Settlement } from "../run/claim/claim-outcome.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { isSettled } from "../run/claim/settled.ts";
import { describeEvidence, fitEvidence } from "../run/claim/verification.ts";
import type { Entry } from "../run/journal.ts";
import { sumBoxes } from "../run/loop.ts";
import { isRunner } from "../run/runner-session.ts";
import { mergeProgress } from "../store/progress.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import { setChecked } from "../tasks/edit/tick.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { oneLine } from "../text/template.ts";
import { writeAttempts, writeStanding } from "./attempts.ts";
import { commitFinished } from "./document-commit.ts";
import { readOwnCommits } from "./own-commits.ts";
import { MAX_NAMED } from "./read-work.ts";
import { Refusal } from "./refusal.ts";
import { writeReceipt } from "./summary.ts";
import type { Run } from "./with-run.ts";

/** The result of a claim that a task is done. */
export type ClaimResult =
  | { readonly kind: "already"; readonly task: Task; readonly list: TaskList }
  | {
      readonly kind: "refused";
      readonly task: Task;
      readonly refusal: string;
      readonly evidence: readonly Evidence[];
      /** What the journal says about it. */
      readonly entry: Entry;
      /** Nothing that the agent does will change it: the user has to decide. */
      readonly waits?: true;
      /** Git did not answer, so this does not count as an attempt. */
      readonly unread?: true;
    }
  | {
      readonly kind: "done";
      readonly task: Task;
      readonly list: TaskList;
      readonly evidence: readonly Evidence[];
      readonly entry: Entry;
      readonly notes: readonly string[];
      /** What to do next. */
      readonly next: readonly string[];
    };

export interface ClaimInput {
  readonly id: string;
  /** Null without a report: the box was ticked by hand. */
  readonly report: string | null;
  /** The sub-agent that reported, if we heard it ourselves. */
  readonly agent?: string;
  /** No agent was sent: running the Verify is all there is to do. */
  readonly isByProgram?: boolean;
  /** As for `readWork`. */
  readonly edited?: ReadonlySet<string> | undefined;
  /** What is uncommitted and not its work: its Verify left it, or the user. */
  readonly left?: readonly string[];
  /** As for `readOwnCommits`. */
  readonly since?: string | undefined;
  /** Why what it left could not be committed for it, in git's words. */
  readonly fault?: string | undefined;
  /** As in the journal. */
  readonly noChange?: string;
}

/** The loop waits for the user's answer to these questions. Returns the journal's entry about it. */
export function askUser(
  run: Run,
  agreed: Agreement,
  questions: readonly Question[],
  said: Pick<Entry, "task" | "agent" | "left" | "noChange"> = {},
): Entry {
  writeAgreement(run.spec, questions.reduce(ask, agreed));
  const reason = askAbout(run.spec.project.layout, questions);
  return run.apply({
    event: "awaiting",
    ...said,
    note: reason,
    loop: run.loop,
    state: { awaitingApproval: true, approvalReason: reason },
  });
}

/** Makes the loop wait for the user: we do not run a command that an agent put there. */
export function waitForUser(
  run: Run,
  task: Task,
  claim: ClaimInput,
  agreed: Agreement,
  question: Question,
): ClaimResult {
  const { voice } = run.spec.project.layout;
  // Until the user approves, the task is not done, whatever its box says.
  if (claim.report === null) writeTasks(run.spec, setChecked(run.list, task, false));
  const entry = askUser(run, agreed, [question], { task: task.id, ...who(claim) });
  const why = agreed.tasks.includes(question.task)
    ? "was changed in tasks.md after the user started the run"
    : "has not been approved yet";
  const refusal = `${task.id} cannot be proven yet: its Verify ${why}, and is not run until the user types ${voice.command("approve")}; ${voice.command("implement")} approves the whole list. Tell them so and end your turn.`;
  return { kind: "refused", task, refusal, evidence: [], entry, waits: true };
}

export function refuse(
  run: Run,
  task: Task,
  claim: ClaimInput,
  refusal: string,
  evidence: readonly Evidence[],
  uncommitted: readonly string[],
): Extract<ClaimResult, { kind: "refused" }> {
  const { tasks, write } = planRefusal(
    run,
    task,
    {
      note: refusal,
      ...who(claim),
      ...withEvidence(evidence),
      ...(uncommitted.length === 0 ? {} : { uncommitted: uncommitted.slice(0, MAX_NAMED) }),
    },
    { isByHand: claim.report === null },
  );
  if (tasks !== undefined) writeTasks(run.spec, tasks);
  return { kind: "refused", task, refusal, evidence, entry: run.apply(write) };
}

/** Git cannot tell whether the task is done: it is not accepted, but it has not failed either. */
export function refuseUnread(run: Run, task: Task, claim: ClaimInput, why: string): ClaimResult {
  // Nobody would report a box that we clear. Leave it ticked: the next check asks git again.
  if (claim.report === null) throw unreadFault(task, why);
  const refusal = `${task.id} could not be checked: ${oneLine(why, 300)}. Report it again. If git status fails for you too, say what it says.`;
  return { ...refuse(run, task, claim, refusal, [], []), unread: true };
}

export const unreadFault = ({ id }: Task, why: string): Refusal =>
  new Refusal("broken", `${id} could not be checked: ${oneLine(why, 300)}`, "try again");

export function accept(
  run: Run,
  task: Task,
  claim: ClaimInput,
  evidence: readonly Evidence[],
  more: readonly string[],
): ClaimResult {
  const event = claim.report === null && evidence.length === 0 ? "ticked" : "done";
  return settle(run, task, event, evidence, more, who(claim), claim.since);
}

/** Ticks the box, with everything that follows from it. */
export function settle(
  run: Run,
  task: Task,
  event: Settlement,
  evidence: readonly Evidence[],
  more: readonly string[],
  who: Pick<Entry, "agent" | "left" | "from" | "noChange" | "commits"> = {},
  since?: string,
): Extract<ClaimResult, { kind: "done" }> {
  const group = groupOf(run.list, task);
  const isLast = group.every((one) => one.checked || one.index === task.index);
  // Before ticking the box: after that nobody reports the task again, and its notes would never be merged.
  const apart = isLast ? mergeProgress(run.spec, group) : undefined;
  const kept = apart === undefined ? [] : [`its notes are not in .progress.md: ${apart}`];
  const notes = [...evidence.map(describeEvidence), ...more, ...kept];
  const commits = who.commits ?? readOwnCommits(run, task, since);
  const details = {
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
    ...who,
    ...withEvidence(evidence),
    ...(commits === undefined ? {} : { commits }),
  };
  const own = readAllEntries(run.spec).filter((entry) => entry.task === task.id);
  const isAgain = isSettled(own, task);
  const agreed = readAgreement(run.spec);
  const verdict = judgeSettled(run.list, task, own, { event, ...details }, agreed);
  const { tasks, write, list, open, brief } = planDone(
    run,
    task,
    run.disk.head,
    { ...details, verdict },
    event,
    {
      isAgain,
    },
  );
  if (tasks !== undefined) writeTasks(run.spec, tasks);
  writeStanding(run.spec, list, brief);
  // Checkpoints first, then the record that the next tasks are ready.
  writeAttempts(run.spec, brief, run.loop.ready);
  const entry = run.apply(write);
  // Boxes ticked by hand that nobody has looked at may still be cleared.
  const isWhole = [null, sumBoxes(list.tasks)].includes(write.loop.boxes);
  const isLeft = isRunner(run.loop.session ?? "") || (run.disk.lost?.(list) ?? []).length > 0;
  if (open.length === 0 && isWhole && !isLeft) {
    writeReceipt(run.spec, list);
    // The end of a run commits it with the summary, except for a run that an older version began.
    const fault = run.loop.ready === null ? commitFinished(run.spec, run.state) : undefined;
    if (fault !== undefined) notes.push(fault);
  }
  const next = brief.current.map(({ id }) => id);
  return { kind: "done", task, list, evidence, entry, notes, next };
}

const who = ({
  agent,
  left = [],
  noChange,
}: ClaimInput): Pick<Entry, "agent" | "left" | "noChange"> => ({
  ...(agent === undefined ? {} : { agent }),
  ...(noChange === undefined ? {} : { noChange }),
  ...(left.length === 0 ? {} : { left }),
});

const withEvidence = (evidence: readonly Evidence[]): { evidence?: readonly Evidence[] } =>
  evidence.length === 0 ? {} : { evidence: fitEvidence(evidence) };

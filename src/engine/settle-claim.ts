import { relative } from "node:path";
import { headOf } from "../git/own-tree.ts";
import { slashed } from "../git/working-tree.ts";
import { agreedDesign } from "../run/agreement.ts";
import { notesOn } from "../run/claim/claim-notes.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { judgeClaim } from "../run/claim/judge-claim.ts";
import { isSettled } from "../run/claim/settled.ts";
import { findWaiting } from "../run/claim/task-history.ts";
import { judgeEvidence } from "../run/claim/verification.ts";
import { pendingFor } from "../run/inbox.ts";
import { isRunner } from "../run/runner-session.ts";
import { readNoChange } from "../run/signal.ts";
import { evidencePolicy, requiresCommit } from "../run/trust.ts";
import { findGit, listUnpinned } from "../store/git-files.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { taskText } from "../tasks/edit/tick.ts";
import { findTask } from "../tasks/find.ts";
import { groupOf } from "../tasks/groups.ts";
import type { Task } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import { changesOutside } from "./attempts.ts";
import {
  accept,
  type ClaimInput,
  type ClaimResult,
  refuse,
  refuseUnread,
  waitForUser,
} from "./claim-verdict.ts";
import { hasChanged } from "./find-change.ts";
import { MAX_NAMED, readWork, type Work } from "./read-work.ts";
import type { Request } from "./request.ts";
import { type DueChecks, planChecks, runChecks, watchChecks } from "./run-checks.ts";
import { requireExecution, type Run, withRunAsync } from "./with-run.ts";

/** A claim that nothing contradicts so far: its Verify decides. */
interface DueClaim extends DueChecks {
  readonly notes: readonly string[];
  readonly work: Work;
  /** Why nothing had to change, if nothing has. */
  readonly noChange: string | undefined;
  readonly text: string;
  /** No other task of its group is out. */
  readonly isAlone: boolean;
}

/**
 * Runs every check on a claim, then the task's Verify, and only then ticks the box. The Verify runs without the lock,
 * which others may need meanwhile; its result is judged against the disk as it is afterwards.
 */
export async function settleClaim(
  request: Request,
  spec: Spec,
  claim: ClaimInput,
): Promise<ClaimResult | undefined> {
  const first = await withRunAsync(request, spec, (run) => {
    requireExecution(run);
    const task = claimedTask(run, claim);
    return task === undefined ? undefined : weigh(run, task, claim);
  });
  if (first === undefined || "kind" in first) return first;

  const { evidence: ran, left = [] } = first.isAlone
    ? await watchChecks(request, spec, first)
    : { evidence: await runChecks(request, spec, first) };
  const { tree, dirty, uncommitted, leftAlone, disowned } = first.work;
  const named = [...uncommitted, ...dirty].slice(0, MAX_NAMED);
  const evidence = ran.map((one): Evidence => ({
    ...one,
    tree,
    ...(named.length === 0 ? {} : { dirty: named }),
  }));
  const said = withReason(claim, first.noChange);
  return withRunAsync(request, spec, (run) => {
    const task = claimedTask(run, claim);
    if (task === undefined) return undefined;
    // The hook and the coordinator may report the same work at the same time: the first to finish settles it.
    if (task.checked && isSettled(readAllEntries(spec), task))
      return { kind: "already", task, list: run.list };
    const { moved, unread } = movedBy(run, first, ran);
    if (unread !== undefined) return refuseUnread(run, task, claim, unread);
    const refusal =
      moved ??
      (first.checks.length > 0 && taskText(run.list, task) !== withBox(first.text, task)
        ? `${task.id} was changed in tasks.md while its Verify ran, so the result does not count. Report it again.`
        : claim.isByProgram === true ||
            evidencePolicy(spec.project.settings, run.disk.record) === "required"
          ? judgeEvidence(task, evidence, claim)
          : undefined);
    return refusal === undefined
      ? accept(run, task, { ...said, left: [...left, ...leftAlone] }, evidence, first.notes)
      : refuse(
          run,
          task,
          { ...claim, left: [...left, ...disowned] },
          refusal,
          evidence,
          uncommitted,
        );
  });
}

/** If nobody else is at work, the branch must not move while a Verify runs. */
function movedBy(
  { spec, loop, disk }: Run,
  { isAlone, head }: DueClaim,
  [ran]: readonly Evidence[],
): { readonly moved?: string; readonly unread?: string } {
  if (ran === undefined || !isAlone || !isRunner(loop.session ?? "") || disk.head === head)
    return {};
  const now = headOf(spec.project.root);
  if (now === undefined || ran.commit === "") return { unread: NO_ANSWER };
  if (now === ran.commit) return {};
  const moved = `Its Verify, or something that ran beside it, moved the branch from ${ran.commit.slice(0, 9)} to ${now.slice(0, 9)}: what was tested is not what is there now. Nothing may commit while a Verify runs.`;
  return { moved };
}

/** A box that was ticked by hand is a claim for as long as it is ticked: somebody may have cleared it since. */
export const claimedTask = ({ list }: Run, { id, report }: ClaimInput): Task | undefined =>
  report === null ? list.tasks.find((task) => task.checked && task.id === id) : findTask(list, id);

function weigh(run: Run, task: Task, claim: ClaimInput): ClaimResult | DueClaim {
  const { spec, list, disk } = run;
  const { settings } = spec.project;
  const entries = readAllEntries(spec);
  if (task.checked && isSettled(entries, task)) return { kind: "already", task, list };
  const unsettled = groupOf(list, task).filter((one) => !isSettled(entries, one));
  const isCommitted = requiresCommit(settings, disk.record);
  const commitSpec = run.state.commitSpec === true;
  const { edited, report, fault } = claim;
  const seen = { commitSpec, isCommitted, seeksHidden: isCommitted, edited, report };
  const work = readWork(spec, list, task, entries, seen);
  const found = changesOutside(spec, list, task, run.loop);
  const isEnforced = settings.files === "enforce";
  const unread = work.unread ?? (found === undefined ? NO_ANSWER : goneSince(run));
  if (unread !== undefined && (isCommitted || isEnforced))
    return refuseUnread(run, task, claim, unread);
  const outside = (found ?? []).filter((name) => !work.leftAlone.includes(name));
  const { agreed, policy, question, ...plan } = planChecks(spec, list, task, disk);
  const isDesigned = agreedDesign(agreed, task) !== null;
  const isByProgram = claim.isByProgram === true;
  const changed = isDesigned && !isByProgram ? undefined : hasChanged(spec, task, entries);
  const isUnchanged = isCommitted && !isDesigned && changed === false;
  const pending = disk.inbox === undefined ? [] : pendingFor(disk.inbox, task.id);
  const refusal = judgeClaim({
    task,
    report,
    list,
    ticked: run.loop.ticked,
    peers: unsettled.map(({ id }) => id),
    uncommitted: isCommitted ? work.uncommitted : [],
    outside: isEnforced ? outside : [],
    links: work.links,
    hidden: work.hidden,
    repositories: listUnpinned(realPathOf(spec.folder)).map(shownIn(spec)),
    pending,
    edited,
    fault,
    isUnchanged: isUnchanged && !isByProgram,
  });
  const no = (why: string): ClaimResult => ({
    ...refuse(run, task, { ...claim, left: work.disowned }, why, [], work.uncommitted),
    ...(pending.length === 0 ? {} : { waits: true }),
  });
  if (refusal !== undefined) return no(refusal);
  if (plan.barred !== undefined && policy === "required") {
    return no(
      `${task.id} cannot be proven: ${plan.note}. The user may add it there, or set evidence: recorded in ${spec.project.user.path}.`,
    );
  }
  // What its agent said before the user was asked about its Verify.
  const waited = findWaiting(entries, task.id);
  if (isByProgram && plan.checks.length === 0 && waited === undefined)
    return no(`${task.id} is not done: its Verify is not run here.`);
  const why = report === null ? undefined : readNoChange(report);
  const noChange = isUnchanged ? (why ?? waited?.noChange) : undefined;
  const isClaimed = noChange !== undefined || (waited !== undefined && !isUnchanged);
  if (isByProgram && !isVerifyTask(task) && changed !== true && !isClaimed)
    return no(`${task.id} is not done: nothing shows that somebody has worked on it.`);
  if (question !== undefined)
    return waitForUser(run, task, withReason(claim, noChange), agreed, question);
  return {
    checks: plan.checks,
    notes: notesOn(task, claim, {
      ...work,
      ...plan,
      outside,
      noChange,
      isApproved: waited !== undefined,
    }),
    noChange,
    head: disk.head,
    text: taskText(list, task),
    isAlone: unsettled.every(({ id }) => id === task.id),
    env: disk.record?.env,
    timeoutMs: settings.verifyTimeoutSeconds * 1000,
    work,
  };
}

const shownIn =
  ({ project }: Spec) =>
  (folder: string): string =>
    slashed(relative(realPathOf(project.root), folder)) || ".";

const NO_ANSWER = "git cannot tell what has changed";

/** Why git cannot tell, if the repository is gone since the task was handed out. */
const goneSince = ({ loop, spec }: Run): string | undefined =>
  loop.head !== "" && findGit(spec.project.root) === undefined
    ? "its repository is gone"
    : undefined;

const withReason = (claim: ClaimInput, noChange: string | undefined): ClaimInput =>
  noChange === undefined ? claim : { ...claim, noChange };

/** Puts the task's current box into the text: only the box may change meanwhile. */
const withBox = (text: string, { checked }: Task): string =>
  text.replace(/\[[ xX]\]/, checked ? "[x]" : "[ ]");

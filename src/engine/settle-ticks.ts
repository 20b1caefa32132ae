import { judgeClaim } from "../run/claim/judge-claim.ts";
import { isGiven, isSettled } from "../run/claim/settled.ts";
import { AT_END } from "../run/hand-out.ts";
import { sumBoxes } from "../run/loop.ts";
import { findLost } from "../run/lost-tasks.ts";
import { isReviewDue } from "../run/review.ts";
import { isRunner } from "../run/runner-session.ts";
import { requiresCommit } from "../run/trust.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import { askUser, type ClaimInput, refuse, unreadFault } from "./claim-verdict.ts";
import { readWork } from "./read-work.ts";
import type { Request } from "./request.ts";
import { claimedTask, settleClaim } from "./settle-claim.ts";
import { writeOutcome } from "./summary.ts";
import { isGoing, type Run, withRunAsync } from "./with-run.ts";

/**
 * A tick is a claim. Every box that was ticked during the run without a report goes through the same checks as a report,
 * in the order of the list; one that does not hold is cleared and handed out again. Returns those that were cleared.
 */
export async function settleTicks(request: Request, spec: Spec): Promise<readonly string[]> {
  const deadline = Date.now() + MAX_MS;
  const seen = new Set<string>();
  const late = new Set<string>();
  for (;;) {
    // Each time from the disk: boxes may be ticked while a Verify runs, by that Verify too.
    const id = await withRunAsync(request, spec, findClaim);
    // One that is ticked again as soon as it is cleared is left for the next stop.
    if (id === undefined || late.has(id)) break;
    const claim = { id, report: null };
    if (seen.has(id) || Date.now() > deadline) {
      await withRunAsync(request, spec, (run) => refuseLate(run, claim));
      late.add(id);
    } else await settleClaim(request, spec, claim);
    seen.add(id);
  }
  await withRunAsync(request, spec, (run) => {
    if (!isGoing(run) || findClaim(run) !== undefined || askAboutLost(run)) return;
    const reopened = reopenUncommitted(run);
    if (reopened !== undefined) seen.add(reopened);
  });
  return withRunAsync(request, spec, (run) => {
    if (isGoing(run) && findClaim(run) === undefined) recount(run);
    const open = new Set(run.list.tasks.filter((task) => !task.checked).map(({ id }) => id));
    return [...seen].filter((id) => open.has(id));
  });
}

/** The client waits for this. */
const MAX_MS = 600_000;

function refuseLate(run: Run, claim: ClaimInput): void {
  const task = claimedTask(run, claim);
  const why = `${claim.id} was ticked by hand while there was no time left to check it: report it with done.`;
  if (task !== undefined) refuse(run, task, claim, why, [], []);
}

const isDone = ({ list }: Run): boolean => list.tasks.every((task) => task.checked);

/** The first task that is ticked, not settled, and was not ticked before the run either. */
function findClaim(run: Run): string | undefined {
  const { spec, list } = run;
  const given = readAgreement(spec)?.given;
  if (!isGoing(run) || given === undefined) return undefined;
  const entries = readAllEntries(spec);
  return list.tasks.find(
    (task) => task.checked && !isSettled(entries, task) && !isGiven(given, entries, task),
  )?.id;
}

/** Nobody finishes a list by deleting what is left of it: the user is asked. */
function askAboutLost(run: Run): boolean {
  const { spec, list } = run;
  const agreed = readAgreement(spec);
  if (agreed === undefined || !isDone(run)) return false;
  const lost = findLost(agreed, list, readAllEntries(spec));
  if (lost.length === 0) return false;
  const questions = lost.map((task) => ({ task, commands: [], isLost: true as const }));
  askUser(run, agreed, questions);
  return true;
}

/**
 * Tasks may have been renamed or removed by hand: what is ticked now counts. One that was ticked since the last look
 * keeps the sum from being right, so it is seen to next. If nothing is left, the run is about to end.
 */
function recount(run: Run): void {
  const { list, loop } = run;
  const boxes = sumBoxes(list.tasks);
  const ready = isDone(run) ? AT_END : loop.ready;
  const isFinal = !isReviewDue(run.spec.project.settings, run.state, loop);
  // `run` checks everything once more first, and writes it then.
  const isOver = ready === AT_END && loop.ready !== AT_END && !isRunner(loop.session ?? "");
  const note = isOver ? writeOutcome(run, { isFinal }) : undefined;
  if (boxes !== loop.boxes || ready !== loop.ready)
    run.apply({
      event: "ready",
      ...(note === undefined ? {} : { note }),
      loop: { ...loop, boxes, ready },
    });
}

/** A commit may have been taken back after its task was done: then the last task is handed out again to see to it. */
function reopenUncommitted(run: Run): string | undefined {
  const { spec, list, disk } = run;
  const entries = readAllEntries(spec);
  const last = entries.findLast(({ event }) => event === "done" || event === "accepted");
  const task = list.tasks.find(({ id }) => id === last?.task);
  if (!isDone(run) || task === undefined || last?.event !== "done") return undefined;
  if (!requiresCommit(spec.project.settings, disk.record)) return undefined;
  // The list and the receipt are ours.
  const seen = { commitSpec: false, seeksHidden: true };
  const { uncommitted, hidden, unread } = readWork(spec, list, task, entries, seen);
  if (unread !== undefined) throw unreadFault(task, unread);
  const facts = { task, report: null, list, ticked: null, peers: [], outside: [], uncommitted };
  const why = judgeClaim({ ...facts, hidden });
  if (why === undefined) return undefined;
  refuse(run, task, { id: task.id, report: null }, why, [], uncommitted);
  return task.id;
}

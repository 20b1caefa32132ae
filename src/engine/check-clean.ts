import { GIVEN, isSettled } from "../run/claim/settled.ts";
import { fitEvidence } from "../run/claim/verification.ts";
import { plainReason } from "../run/event-lines.ts";
import type { Entry } from "../run/journal.ts";
import { isReviewDue } from "../run/review.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { refuse } from "./claim-verdict.ts";
import type { Request } from "./request.ts";
import { writeOutcome } from "./summary.ts";
import { type Checkout, type CheckedTask, listTicked, verifyTicked } from "./verify-ticked.ts";
import { isGoing, type Run, withRunAsync } from "./with-run.ts";

/** A ticked task that does not hold at the end of a run. */
export interface RecheckFailure {
  readonly id: string;
  readonly why: string;
  /** It was ticked before the run, so it is not reopened. */
  readonly isGiven: boolean;
}

/** How many tasks to check if the run is about to end, with every box ticked and no review due; otherwise undefined. */
export async function countAtEnd(request: Request, spec: Spec): Promise<number | undefined> {
  if (readDisk(spec).state.kind !== "ok") return undefined;
  return (await withRunAsync(request, spec, isAtEnd)) ? listTicked(spec).length : undefined;
}

const isAtEnd = (run: Run): boolean =>
  isGoing(run) &&
  run.list.tasks.every(({ checked }) => checked) &&
  !isReviewDue(run.spec.project.settings, run.state, run.loop);

/** Writes what the run leaves behind, now that everything holds, unless nothing was done since. Returns a fault. */
export const writeChecked = (request: Request, spec: Spec): Promise<string | undefined> =>
  withRunAsync(request, spec, (run) => {
    const all = readAllEntries(spec);
    const since = all.slice(all.findLastIndex(({ event }) => event === "finished") + 1);
    const isNew = isAtEnd(run) && run.list.tasks.some((task) => isSettled(since, task));
    return isNew ? writeOutcome(run) : undefined;
  });

/** Reopens the tasks that fail, and the next agent is told why. Those that were ticked before the run are only named. */
export async function checkClean(
  request: Request,
  spec: Spec,
  checkout: Checkout & { readonly isHere?: true },
  tell: (task: Task, command: string) => void,
): Promise<readonly RecheckFailure[]> {
  const where = checkout.isHere === true ? NOT_AT_END : NOT_CLEAN;
  const failures: RecheckFailure[] = [];
  for (const checked of await verifyTicked(request, spec, checkout, tell)) {
    const { task, isGiven, evidence } = checked;
    const why = checked.why && `${where} ${checked.why}`;
    await withRunAsync(request, spec, (run) => {
      const now = run.list.tasks.find(({ id, checked: is }) => id === task.id && is);
      if (now === undefined) return;
      if (isGiven) note(run, checked);
      else if (why !== undefined)
        refuse(run, now, { id: task.id, report: null }, why, evidence, []);
    });
    if (why !== undefined) failures.push({ id: task.id, isGiven, why });
  }
  return failures;
}

/** What was found out about a task that was ticked before the run: a fact for the report, not a verdict. */
const note = ({ apply, loop }: Run, { task: { id }, evidence, why }: CheckedTask): Entry =>
  apply({
    event: "checked",
    task: id,
    note: `${GIVEN}, ${why === undefined ? "and its Verify passes" : `but ${plainReason(id, why).replace(/\.$/, "")}`}`,
    evidence: fitEvidence(evidence),
    loop,
  });

const NOT_CLEAN =
  "It does not hold in a clean checkout of the branch, which has only what is committed, and all of it.";
const NOT_AT_END = "It does not hold at the end of the run.";

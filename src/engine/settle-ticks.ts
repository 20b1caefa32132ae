import { EXECUTION } from "../layouts/layout.ts";
import { askAbout } from "../run/agreement-lines.ts";
import { ask } from "../run/agreement.ts";
import { hasVerdict, isSettled } from "../run/claim/receipt.ts";
import { sumBoxes } from "../run/loop.ts";
import { isWaiting } from "../run/state.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import { findTask } from "../tasks/find.ts";
import type { Task } from "../tasks/model.ts";
import { type ClaimInput, refuse } from "./claim-verdict.ts";
import type { Request } from "./request.ts";
import { settleClaim } from "./settle-claim.ts";
import { type Run, withRunAsync } from "./with-run.ts";

/**
 * A tick is a claim. Every box that was ticked during the run without a report goes through the same checks as a report,
 * in the order of the list; one that does not hold is cleared and handed out again.
 */
export async function settleTicks(request: Request, spec: Spec): Promise<SettledTicks> {
  const ids = await withRunAsync(request, spec, (run) =>
    isOn(run) ? findClaims(run).map(({ id }) => id) : [],
  );
  const deadline = Date.now() + MAX_MS;
  for (const id of ids) {
    const claim = { id, report: null };
    if (Date.now() < deadline) await settleClaim(request, spec, claim);
    else await withRunAsync(request, spec, (run) => refuseLate(run, claim));
  }
  await withRunAsync(request, spec, (run) => {
    if (isOn(run) && !askAboutLost(run)) recount(run);
  });
  const open = await withRunAsync(request, spec, ({ list }) =>
    list.tasks.filter((task) => !task.checked).map(({ id }) => id),
  );
  return { cleared: ids.filter((id) => open.includes(id)) };
}

/** Boxes that were ticked by hand and do not count. */
export interface SettledTicks {
  readonly cleared: readonly string[];
}

/** The client waits for this. */
const MAX_MS = 600_000;

function refuseLate(run: Run, claim: ClaimInput): void {
  const task = findTask(run.list, claim.id);
  const why = `${claim.id} was ticked by hand, and there was no time left to check it: report it with done.`;
  if (task !== undefined) refuse(run, task, claim, why, [], []);
}

const isOn = ({ state }: Run): boolean => state.phase === EXECUTION && !isWaiting(state);

/** Ticked, not settled, and not ticked before the run either. */
function findClaims({ spec, list }: Run): Task[] {
  const given = readAgreement(spec)?.given;
  if (given === undefined) return [];
  const entries = readAllEntries(spec);
  const isGiven = ({ id }: Task): boolean => given.includes(id) && !hasVerdict(entries, id);
  return list.tasks.filter((task) => task.checked && !isSettled(entries, task) && !isGiven(task));
}

/** Nobody finishes a list by deleting what is left of it: the user is asked. */
function askAboutLost(run: Run): boolean {
  const { spec, list, loop } = run;
  const agreed = readAgreement(spec);
  if (agreed === undefined || list.tasks.some((task) => !task.checked)) return false;
  const entries = readAllEntries(spec);
  const isThere = (id: string): boolean => list.tasks.some((task) => task.id === id);
  const lost = agreed.tasks.filter((id) => !isThere(id) && !isSettled(entries, { id }));
  if (lost.length === 0) return false;
  const questions = lost.map((task) => ({ task, commands: [], isLost: true as const }));
  writeAgreement(spec, questions.reduce(ask, agreed));
  const reason = questions.map((one) => askAbout(spec.project.layout, one)).join("; ");
  run.apply({
    event: "awaiting",
    note: reason,
    loop,
    state: { awaitingApproval: true, approvalReason: reason },
  });
  return true;
}

/** Tasks may have been renamed or removed by hand. At the end the user has approved what is gone. */
function recount(run: Run): void {
  const { list, loop } = run;
  const boxes = sumBoxes(list.tasks);
  const isDone = list.tasks.every((task) => task.checked);
  const total = isDone ? list.tasks.length : loop.total;
  if (boxes !== loop.boxes || total !== loop.total)
    run.apply({ event: "ready", loop: { ...loop, boxes, total } });
}

import { askAbout } from "../run/agreement-lines.ts";
import { agreeToVerify, ask, askFor, NOTHING } from "../run/agreement.ts";
import { type Amended, planAmendment } from "../run/change/amend.ts";
import { drivenBy } from "../run/driven.ts";
import type { Amendment } from "../run/journal.ts";
import { increment } from "../run/loop.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import { mayDecide } from "./authority.ts";
import type { Request } from "./request.ts";
import { requireExecution, requireTask, withRun } from "./with-run.ts";

export type AmendedVerify =
  | { readonly kind: "refused"; readonly task: string; readonly why: string }
  | {
      readonly kind: "amended";
      readonly amendment: Amendment;
      /** Other tasks that had the same Verify from it, and have the new one. */
      readonly copies: readonly string[];
      /** The user has to approve it first. */
      readonly waits: boolean;
    };

/**
 * Changes a Verify that turned out to be wrong: visibly, a few times at most, and with the user's approval unless they
 * gave it when they started the run.
 */
export const amendVerify = (
  request: Request,
  spec: Spec,
  id: string,
  command: string,
  reason: string,
): AmendedVerify =>
  withRun(request, spec, (run) => {
    requireExecution(run);
    const task = requireTask(run.list, id);
    const plan = planAmendment(run.list, task, command, reason, readAllEntries(spec));
    if (plan.kind === "refused") return { kind: "refused", task: task.id, why: plan.why };
    const isUser = mayDecide(request, spec);
    const isAllowed = run.disk.record?.mayAmend === true || isUser;
    if (!isAllowed && drivenBy(request.env) !== undefined)
      return { kind: "refused", task: task.id, why: `${REPORT} VERIFY_WRONG: \`${command}\`` };
    const questions = plan.made.map(({ task: one, commands }) => {
      const asked = askFor(one, commands);
      // Whoever lets agents replace a Verify does not let them say what a task is.
      return isAllowed && !isUser ? { task: asked.task, commands } : asked;
    });
    const agreed = readAgreement(spec) ?? NOTHING;
    writeTasks(spec, plan.tasks);
    writeAgreement(spec, questions.reduce(isAllowed ? agreeToVerify : ask, agreed));
    const approvalReason = askAbout(spec.project.layout, questions);
    const loop = { ...run.loop, moves: increment(run.loop.moves) };
    const state = isAllowed ? {} : { awaitingApproval: true, approvalReason };
    for (const { amendment } of plan.made)
      run.apply({ event: "amended", task: amendment.task, note: reason, amendment, loop, state });
    const [{ amendment }, ...copies] = plan.made as [Amended, ...Amended[]];
    return {
      kind: "amended",
      amendment,
      copies: copies.map((one) => one.task.id),
      waits: !isAllowed,
    };
  });

/** In a run the user is asked about that task alone; this would hold up all of them. */
const REPORT = "in a run, an agent does not replace a Verify: end your report with";

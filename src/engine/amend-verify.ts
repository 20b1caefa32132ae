import { askAbout } from "../run/agreement-lines.ts";
import { agreeToVerify, ask, askFor, NOTHING } from "../run/agreement.ts";
import { type Amendment, planAmendment } from "../run/change/amend.ts";
import { increment } from "../run/loop.ts";
import { readAllEntries, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import type { Request } from "./request.ts";
import { requireExecution, requireTask, withRun } from "./with-run.ts";

export type AmendedVerify =
  | { readonly kind: "refused"; readonly task: string; readonly why: string }
  | {
      readonly kind: "amended";
      readonly amendment: Amendment;
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
    const { amendment, tasks, commands } = plan;
    const isUser = request.caller.authority === "user";
    const isAllowed = run.disk.record?.mayAmend === true || isUser;
    const asked = askFor(task, commands);
    // Whoever lets agents replace a Verify does not let them say what a task is.
    const question = isAllowed && !isUser ? { task: asked.task, commands } : asked;
    const agreed = readAgreement(spec) ?? NOTHING;
    writeTasks(spec, tasks);
    writeAgreement(spec, isAllowed ? agreeToVerify(agreed, question) : ask(agreed, question));
    const approvalReason = askAbout(spec.project.layout, question);
    run.apply({
      event: "amended",
      task: task.id,
      note: reason,
      amendment,
      loop: { ...run.loop, moves: increment(run.loop.moves) },
      state: isAllowed ? {} : { awaitingApproval: true, approvalReason },
    });
    return { kind: "amended", amendment, waits: !isAllowed };
  });

import type { Task } from "../tasks/types.ts";
import { states, TASK_COMPLETE, VERIFICATION_PASS } from "./signal.ts";

/** An executor's claim that a task is done. */
export interface Claim {
  readonly task: Task;
  readonly report: string;
}

/** One reason to accept or refuse a claim. Returns a sentence that the agent can act on, or nothing. */
export type Layer = (claim: Claim) => string | undefined;

const CONTRADICTIONS = [
  /requires? manual/i,
  /could(?: not|n't) (?:be )?complete/i,
  /unable to complete/i,
  /cannot be (?:automated|completed)/i,
  /needs? (?:human|manual) (?:intervention|action|steps?)/i,
] as const;

const notContradicted: Layer = ({ task, report }) => {
  const phrase = CONTRADICTIONS.map((pattern) => pattern.exec(report)?.[0]).find(Boolean);
  return phrase === undefined
    ? undefined
    : `The report on ${task.id} claims completion but says "${phrase}": finish the task, or report it with fail.`;
};

const explicit: Layer = ({ task, report }) => {
  const signal = task.tags.includes("VERIFY") ? VERIFICATION_PASS : TASK_COMPLETE;
  return states(report, signal) || (signal !== TASK_COMPLETE && states(report, TASK_COMPLETE))
    ? undefined
    : `The report on ${task.id} does not say ${signal} on a line of its own: pass on what the agent said, or report it with fail.`;
};

/** The layers of verification, in the order in which they are asked. */
export const LAYERS: readonly Layer[] = [notContradicted, explicit];

export function judge(claim: Claim, layers: readonly Layer[] = LAYERS): string | undefined {
  for (const layer of layers) {
    const refusal = layer(claim);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

import { fieldOf } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { isVerifyTask } from "../../tasks/tags.ts";
import { type Check, parseVerify } from "../../tasks/verify/verify.ts";
import { keepEnd } from "../../text/cut.ts";
import { showCommand } from "../../text/template.ts";
import { isAllowed } from "../allowed-commands.ts";
import type { Settings } from "../settings.ts";
import type { Evidence } from "./evidence.ts";
import { lastLine } from "./useful-lines.ts";

/** What to run before a task counts as done, or why there is nothing to run. */
export interface Verification {
  readonly checks: readonly Check[];
  /** Shown to the agent and kept in the receipt, so that nothing is skipped silently. */
  readonly note: string | undefined;
  /** A command that the user has not allowed: without it nothing is proven. */
  readonly barred?: string;
}

export function planVerification(
  list: TaskList,
  task: Task,
  settings: Pick<Settings, "evidence" | "verifyAllow">,
): Verification {
  const field = fieldOf(list, task, "verify");
  if (field === undefined || field === "") return { checks: [], note: undefined };
  const { checks, nothing } = parseVerify(field);
  if (nothing !== undefined) return { checks, note: `its Verify cannot be run: ${nothing.why}` };
  if (settings.evidence === "off") {
    return { checks: [], note: "its Verify was not run: evidence is off" };
  }
  const barred = checks.find(({ command }) => !isAllowed(command, settings.verifyAllow))?.command;
  if (barred !== undefined)
    return { checks: [], note: `verify_allow does not permit ${shownCommand(barred)}`, barred };
  const { command, doubt } = checks.find((one) => one.doubt !== undefined) ?? {};
  const note =
    doubt === undefined
      ? undefined
      : `${shownCommand(command ?? "")} proves nothing, because ${doubt.why}`;
  return { checks, note };
}

/** Why the evidence does not support the claim, in a sentence that the agent can act on. */
export function judgeEvidence(
  task: Task,
  evidence: readonly Evidence[],
  { isByProgram = false }: { readonly isByProgram?: boolean } = {},
): string | undefined {
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  if (failed === undefined) return undefined;
  const { command, outcome, exitCode, milliseconds, tail, why } = failed;
  const ran = `its Verify ${shownCommand(command)}`;
  const said = lastLine(tail);
  const told = said === "" ? "" : ` Output: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
  const todo = isByProgram
    ? "Fix the cause."
    : isVerifyTask(task)
      ? "Look again, and report what you see."
      : "Fix the cause, then report again.";
  if (outcome === "timed-out") {
    return `${task.id} is not done: ${ran} took longer than ${Math.round(milliseconds / 1000)} s and was killed.${told}`;
  }
  if (outcome === "unrun")
    return `${task.id} is not done: ${ran} could not be run: ${why ?? "no reason was given"}.`;
  if (exitCode === 127) {
    return `${task.id} is not done: ${ran} uses a command that is not installed.${told}`;
  }
  if (why !== undefined) return `${task.id} is not done: ${ran} failed: ${why}. ${todo}`;
  return `${task.id} is not done: ${ran} failed with exit code ${exitCode ?? "none"}.${told} ${todo}`;
}

/** On one line, as a Markdown code span. */
export const shownCommand = (command: string): string => `\`${showCommand(command)}\``;

/** Characters of commands and output that fit into one journal line, all together. */
const ROOM = 16_000;

/**
 * As much evidence as fits into the journal: a line longer than the tail that a stop reads would hide the loop's
 * record.
 */
export function fitEvidence(evidence: readonly Evidence[]): Evidence[] {
  const share = shareOf(evidence);
  return evidence.map((one) => ({
    ...one,
    command: one.command.slice(0, share),
    tail: keepEnd(one.tail, share),
  }));
}

/** Commands, as far as they fit into the journal and so the receipt. */
export const fitCommands = (commands: readonly string[]): string[] =>
  commands.map((command) => command.slice(0, shareOf(commands)));

const shareOf = ({ length }: readonly unknown[]): number =>
  Math.floor(ROOM / 2 / Math.max(1, length));

/** `npm test passed in 1.2 s`, for the agent and for the receipt. */
export const describeEvidence = ({ command, expects, outcome, milliseconds }: Evidence): string =>
  `${shownCommand(command)}${expects === undefined ? "" : ` (${expects})`} ${ENDED[outcome]}${milliseconds < 50 || outcome === "unrun" ? "" : ` in ${(milliseconds / 1000).toFixed(1)} s`}`;

const ENDED: Readonly<Record<Evidence["outcome"], string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "timed out",
  unrun: "could not be run",
};

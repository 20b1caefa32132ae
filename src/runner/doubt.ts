import { isDoubt } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";
import { oneLine, showCommand } from "../text/template.ts";
import { REPLACE } from "./ask-user.ts";
import type { Reported, Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";

/**
 * Handles an agent's report that its task's Verify is wrong. If the user allowed it beforehand, the agent's proposal
 * replaces the Verify; otherwise the user is asked, and other tasks go on.
 */
export function doubt(
  { coordinator, questions }: Pick<Work, "coordinator" | "questions">,
  job: Job,
  entry: Entry | undefined,
  { agentId, report }: Pick<Reported, "agentId" | "report">,
): void {
  if (entry?.event !== "heard" || !isDoubt(entry.note)) return;
  const command = proposalIn(report);
  const why = oneLine(report, 300);
  if (command !== undefined && coordinator.amend(job, command, why)) return;
  const isAsked =
    command === undefined
      ? questions.ask(job, `The agent of ${job.id} calls its Verify wrong: ${why} What now?`)
      : questions.ask(job, proposing(job, command), [REPLACE, "keep it"], command);
  // The user has decided to keep the Verify: then this counts as a failed attempt.
  if (!isAsked) coordinator.fail(job, agentId, `Its Verify stays as it is. ${why}`);
}

const proposing = ({ id }: Job, command: string): string =>
  `The agent of ${id} calls its Verify wrong and proposes \`${showCommand(command, 500)}\`. Replace it?`;

/** The command after VERIFY_WRONG: in backticks, or the rest of its line. */
export function proposalIn(report: string): string | undefined {
  const [, after = ""] = /VERIFY_WRONG\b:?([\s\S]*)/.exec(report) ?? [];
  const quoted = /`([^`\n]+)`/.exec(after)?.[1];
  const line = (after.trimStart().split("\n")[0] ?? "").trim();
  const command = (quoted ?? (/\s/.test(line) && /[./-]/.test(line) ? line : "")).trim();
  return command === "" ? undefined : command;
}

import { isDoubt } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";
import { oneLine } from "../text/template.ts";
import { REPLACE } from "./ask-user.ts";
import type { Reported, Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";

/**
 * An agent calls the Verify of its task wrong. If the user allowed that beforehand, what it proposes is put in its place;
 * otherwise they are asked, and the others go on.
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
      ? questions.ask(job, `Its agent calls the Verify of ${job.id} wrong: ${why} What now?`)
      : questions.ask(job, proposing(job, command), [REPLACE, "keep it"], command);
  // The user has said that it stays: then this was an attempt like any other.
  if (!isAsked) coordinator.fail(job, agentId, `Its Verify stays as it is. ${why}`);
}

const proposing = ({ id }: Job, command: string): string =>
  `Its agent calls the Verify of ${id} wrong and proposes \`${oneLine(command, 500)}\`. Replace it?`;

/** What comes after the word: in backticks, or the rest of its line. */
export function proposalIn(report: string): string | undefined {
  const [, after = ""] = /VERIFY_WRONG\b:?([\s\S]*)/.exec(report) ?? [];
  const quoted = /`([^`\n]+)`/.exec(after)?.[1];
  const line = (after.trimStart().split("\n")[0] ?? "").trim();
  const command = (quoted ?? (/\s/.test(line) && /[./-]/.test(line) ? line : "")).trim();
  return command === "" ? undefined : command;
}

import { isDoubt } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";
import { oneLine } from "../text/template.ts";
import { REPLACE } from "./ask-user.ts";
import type { Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";

/**
 * An agent calls the Verify of its task wrong. If the user allowed that beforehand, what it proposes is put in its place;
 * otherwise they are asked, and the others go on.
 */
export function doubt(
  { coordinator, questions }: Pick<Work, "coordinator" | "questions">,
  job: Job,
  entry: Entry | undefined,
  report: string,
): void {
  if (entry?.event !== "heard" || !isDoubt(entry.note)) return;
  const command = proposalIn(report);
  const why = oneLine(report, 300);
  if (command === undefined)
    return questions.ask(job, `Its agent calls the Verify of ${job.id} wrong: ${why} What now?`);
  if (coordinator.amend(job, command, why)) return undefined;
  const text = `Its agent calls the Verify of ${job.id} wrong and proposes \`${oneLine(command, 500)}\`. Replace it?`;
  return questions.ask(job, text, [REPLACE, "keep it"], command);
}

/** What comes after the word: in backticks, or the rest of its line. */
export function proposalIn(report: string): string | undefined {
  const [, after = ""] = /VERIFY_WRONG\b:?([\s\S]*)/.exec(report) ?? [];
  const quoted = /`([^`\n]+)`/.exec(after)?.[1];
  const line = (after.trimStart().split("\n")[0] ?? "").trim();
  const command = (quoted ?? (/\s/.test(line) && /[./-]/.test(line) ? line : "")).trim();
  return command === "" ? undefined : command;
}

import { REPLACE } from "../run/answers.ts";
import { isDoubt } from "../run/claim/task-history.ts";
import type { Entry } from "../run/journal.ts";
import { listCopies } from "../tasks/edit/fix-task.ts";
import { fieldOf } from "../tasks/fields.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import { oneLine, showCommand } from "../text/template.ts";
import type { Reported, Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";

/**
 * Handles an agent's report that its task's Verify is wrong. If the user allowed it beforehand, the agent's proposal
 * replaces the Verify; otherwise the user is asked, and other tasks go on. Returns the journal's entry on the report.
 */
export function doubt(
  { coordinator, questions }: Pick<Work, "coordinator" | "questions">,
  job: Job,
  entry: Entry | undefined,
  { agentId, report }: Pick<Reported, "agentId" | "report">,
): Entry | undefined {
  if (entry?.event !== "heard" || !isDoubt(entry.note)) return entry;
  const { list } = coordinator;
  const task = list?.tasks.find((one) => one.id === job.id);
  const { checks } = parseVerify((list && task && fieldOf(list, task, "verify")) ?? "");
  const present = checks.map((check) => check.command);
  const why = oneLine(afterSignal(report), 300);
  const command = proposalIn(report, present);
  if (command !== undefined && coordinator.amend(job, command, why)) return entry;
  const copies = list === undefined || task === undefined ? [] : listCopies(list, task);
  const also = copies.length === 0 ? "" : ` (also in ${copies.map(({ id }) => id).join(", ")})`;
  const shown = present.map((one) => ` \`${showCommand(one, 200)}\``).join(" and");
  const says = `The agent of ${job.id} calls its Verify${also}${shown} wrong`;
  // The command comes before the agent's words, and whole: the user agrees to what they see.
  const isAsked = questions.ask(
    job,
    command === undefined
      ? { about: `verify: ${present.join("; ")}`, text: `${says}: ${why} What now?` }
      : {
          text: `${says}. Replace it by \`${command}\`? It says: ${why}`,
          options: [REPLACE, "keep it"],
          verify: command,
        },
  );
  // The user has decided to keep the Verify: then this counts as a failed attempt.
  return isAsked ? entry : coordinator.fail(job, agentId, `Its Verify stays as it is. ${why}`);
}

const afterSignal = (report: string): string =>
  (/VERIFY_WRONG\b:?([\s\S]*)/.exec(report)?.[1] ?? "").trim();

/**
 * The command that should stand there: alone on the first line after VERIFY_WRONG, as agents are told, or else the last
 * one in backticks that is neither the present Verify nor a mere value.
 */
export function proposalIn(report: string, present: readonly string[] = []): string | undefined {
  const after = afterSignal(report);
  const line = (after.split("\n")[0] ?? "").trim();
  const alone = /^`([^`]+)`[.;]?$/.exec(line)?.[1] ?? (/`/.test(line) ? "" : line);
  const quoted = [...after.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text.trim());
  const isNew = (text: string): boolean =>
    text !== "" &&
    !present.includes(text) &&
    text.length <= MAX_PROPOSAL &&
    !/[^\S ]|   /.test(text);
  if (isNew(alone) && (line !== alone || (/\s/.test(line) && /[./-]/.test(line)))) return alone;
  return quoted.findLast((text) => isNew(text) && COMMAND.test(text) && /\s/.test(text));
}

/** Longer ones, or those with gaps, could hide something from whoever is asked. */
const MAX_PROPOSAL = 300;

/** How a command begins: with a word, a path, a test or a group; not with a value such as `{"a": 1}` or `--json`. */
const COMMAND = /^(?:[\w.~/$]|\[\[? |\( ?|\{ |! )/;

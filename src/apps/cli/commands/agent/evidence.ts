import { localTime } from "../../../../engine/local-time.ts";
import { readSpecFacts } from "../../../../engine/read-facts.ts";
import { requireTask, tasksOf } from "../../../../engine/with-run.ts";
import { MARKS } from "../../../../facts/marks.ts";
import type { TaskFacts } from "../../../../facts/task-facts.ts";
import type { Evidence } from "../../../../run/claim/evidence.ts";
import { usefulLines } from "../../../../run/claim/useful-lines.ts";
import { describeEvidence } from "../../../../run/claim/verification.ts";
import { formatSpent } from "../../../../run/cost.ts";
import type { Entry } from "../../../../run/journal.ts";
import { readAllEntries, readTasks } from "../../../../store/spec-files.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const evidence: Command = {
  summary: "what proves that each task is done: command, result, commit, time",
  args: ["[task]"],
  details:
    "The mark and the class say what each task is worth, and why it is less than proven: docs/proof.md.\nWith a task: also how its Verify ended before the work, and every attempt that was refused or failed.",
  run(context, input) {
    const spec = specAtWork(context, input);
    const list = tasksOf(spec, readTasks(spec));
    const entries = readAllEntries(spec);
    const [id] = input.args;
    const only = id === undefined ? undefined : requireTask(list, id).id;
    const lines = readSpecFacts(spec, list).tasks.filter(
      (line) => only === undefined || line.id === only,
    );
    const style = paint(context.colour);
    const attempts = only === undefined ? [] : attemptsAt(entries, only);
    const tails = only === undefined ? [] : lines.flatMap((line) => renderTails(line.evidence));
    return {
      text: [
        ...lines.map((line) => renderLine(line, style)),
        ...tails,
        ...attempts.flatMap((entry) => renderAttempt(entry, style, context.now().at)),
      ].join("\n"),
      json: {
        spec: spec.name,
        tasks: lines,
        ...(only === undefined ? {} : { attempts: attempts.map(describe) }),
      },
    };
  },
};

function renderLine(line: TaskFacts, { bold, dim, good, warn, bad }: Paint): string {
  const tint = { proven: good, accepted: good, failed: bad, open: dim, skipped: dim } as const;
  const colour = line.class === "checked" || line.class === "reported" ? warn : tint[line.class];
  const facts = [
    line.attempts > 1 ? counted(line.attempts, "attempt") : "",
    line.refused > 0 ? `${line.refused} refused` : "",
    line.spent === null ? "" : formatSpent(line.spent),
    line.commit === null ? "" : `at ${line.commit.slice(0, 9)}`,
    line.tree === "dirty" ? "other files were uncommitted" : "",
    line.before.length > 0 && line.evidence.length > 0
      ? `before: ${endings(line.before)} → after: ${endings(line.evidence)}`
      : "",
  ].filter(Boolean);
  const ran = line.evidence.map(describeEvidence).join(", ");
  const said = [ran, line.weakness ?? (ran === "" ? line.note : null)].filter(Boolean).join("; ");
  return `${colour(MARKS[line.class])} ${bold(line.id)} ${oneLine(line.title, 60)}: ${colour(line.class)}${said === "" ? "" : `: ${clean(said)}`}${facts.length > 0 ? dim(` (${facts.join(", ")})`) : ""}`;
}

/** `exit 1`, or why there is no exit code. */
const endings = (ran: readonly Evidence[]): string =>
  ran.map(({ exitCode, outcome }) => (exitCode === null ? outcome : `exit ${exitCode}`)).join(", ");

/** Everything that was tried: before the work, refused and failed. */
const attemptsAt = (entries: readonly Entry[], id: string): Entry[] =>
  entries.filter(
    ({ task, event }) => task === id && ["before", "refused", "failed", "heard"].includes(event),
  );

const describe = ({ at, event, note, evidence: ran, uncommitted }: Entry): object => ({
  at,
  event,
  note: note ?? null,
  evidence: ran ?? [],
  uncommitted: uncommitted ?? [],
});

function renderAttempt(
  { at, event, note, evidence: ran = [] }: Entry,
  { dim }: Paint,
  now: string,
): readonly string[] {
  const when = localTime(at, now);
  const said =
    event === "before"
      ? `before the work: ${endings(ran)}`
      : `${event}: ${oneLine(note ?? "", 300)}`;
  return [
    dim(`${when}  ${said}`),
    ...renderTails(ran.filter(({ outcome }) => outcome !== "passed")),
  ];
}

const renderTails = (ran: readonly Evidence[]): string[] =>
  ran.flatMap(({ tail }) => usefulLines(clean(tail)).map((line) => `    ${line}`));

import { readStatus } from "../../../../engine/read-status.ts";
import { EXECUTION } from "../../../../layouts/layout.ts";
import { formatCosts, formatSpent } from "../../../../run/cost.ts";
import { formatPoint } from "../../../../spec/open-points.ts";
import { oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import { type Command, EXIT } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const status: Command = {
  name: "status",
  summary: "where the spec is, what happened last, and what to do",
  args: ["[spec]"],
  group: "look",
  options: { check: { type: "boolean", summary: "exit with 1 unless every task is done" } },
  run(context, input) {
    const spec = specOf(context, input, input.args[0]);
    const report = readStatus(context, spec);
    const isDone = report.total > 0 && report.done === report.total;
    const ok = input.options["check"] !== true || isDone;
    return {
      code: ok ? EXIT.ok : EXIT.refused,
      text: renderStatus(report, context.program, paint(context.colour)),
      json: { ok, ...report },
    };
  },
};

type Status = ReturnType<typeof readStatus>;

function renderStatus(
  report: Status,
  program: string,
  { bold, dim, good, warn, bad, accent }: Paint,
): string {
  const colour =
    { running: good, finished: good, stopped: bad, corrupt: bad }[report.standing] ?? warn;
  const lines = [
    `${bold(report.spec)} ${dim(report.path)}  ${colour(short(report.standing, 60))}${report.why === null ? "" : `: ${short(report.why, 300)}`}`,
    ...(report.phase === EXECUTION || report.total > 0
      ? []
      : [
          report.documents
            .map(({ document, exists }) => (exists ? good(`✓ ${document}`) : dim(`· ${document}`)))
            .join("  "),
        ]),
    ...(report.total > 0
      ? [
          `${accent(bar(report.done, report.total))} ${report.done} of ${counted(report.total, "task")} done${report.done > 0 ? `, ${report.proven} proven by ${report.proven === 1 ? "its" : "their"} Verify` : ""}`,
        ]
      : []),
    ...report.next.map(
      ({ id, title, attempt, spent }) =>
        `next   ${bold(id)} ${oneLine(title, 80)}${attempt > 1 ? warn(` (attempt ${attempt} of ${report.maxAttempts})`) : ""}${spent === null ? "" : dim(` (${formatSpent(spent)} so far)`)}`,
    ),
    ...(report.spent === null
      ? []
      : [`cost   ${formatCosts(report.spent, report.spentByPurpose)}`]),
    ...(report.exhausted.length > 0
      ? [bad(`failed ${report.exhausted.join(", ")}: all ${report.maxAttempts} attempts used`)]
      : []),
    ...(report.phase === EXECUTION || report.done > 0 ? [] : report.openPoints).map(
      (point) => `open   ${short(point.phase, 20)}: ${short(formatPoint(point), 200)}`,
    ),
    ...(report.events.length > 0
      ? [
          dim(
            `turn   ${report.iteration} of at most ${report.maxIterations}; session ${short(report.session ?? "not bound yet", 60)}${report.thisSession === true ? " (this one)" : ""}`,
          ),
        ]
      : []),
    ...report.events.map(({ at, event, task, note }) =>
      dim(
        `${short(at, 24).slice(0, 19).replace("T", " ")} UTC  ${short(event, 20)}${task === undefined ? "" : ` ${short(task, 20)}`}${note === undefined ? "" : `: ${short(note, 100)}`}`,
      ),
    ),
    ...report.others.map(({ spec, standing: where }) => dim(`other  ${spec}: ${where}`)),
    ...(report.todo === null ? [] : [`→ ${report.todo}`]),
    ...(report.standing === "finished"
      ? [`→ ${program} summary shows what was built, what proves it and how to undo it`]
      : []),
  ];
  return lines.join("\n");
}

/** Anyone may have written the state and the journal: whatever they contain goes on one line. */
const short = (value: unknown, max: number): string => oneLine(String(value), max);

function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? 0 : Math.floor((done / total) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}

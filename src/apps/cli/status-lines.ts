import { localTime } from "../../engine/local-time.ts";
import type { readProgress, readStatus } from "../../engine/read-status.ts";
import { describeCounts } from "../../facts/classify.ts";
import { EXECUTION } from "../../layouts/layout.ts";
import { formatCosts, formatSpent, type Spent } from "../../run/cost.ts";
import { formatPoint } from "../../spec/open-points.ts";
import { quoteName } from "../../text/quote.ts";
import { tellTimes } from "../../text/repeats.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import { paint, type Paint } from "./paint.ts";

export type Progress = ReturnType<typeof readProgress>;
export type Status = ReturnType<typeof readStatus>;

/** Anyone may have written the state and the journal: whatever they contain goes on one line. */
const short = (value: unknown, max: number): string => oneLine(String(value), max);

const COLOURS = { running: "good", finished: "good", stopped: "bad", corrupt: "bad" } as const;

const standingIn = ({ standing }: Progress, style: Paint): string => {
  const colour = Object.hasOwn(COLOURS, standing)
    ? COLOURS[standing as keyof typeof COLOURS]
    : "warn";
  return style[colour](short(standing, 60));
};

/** Name, standing, progress and what is next: where a spec is, for a short screen. */
export function renderProgress(report: Progress | Status, style: Paint): string[] {
  const { bold, dim, warn, accent } = style;
  const { done, total } = report;
  return [
    `${bold(report.spec)} ${dim(report.path)}  ${standingIn(report, style)}${report.why === null ? "" : `: ${short(report.why, 300)}`}`,
    ...(total > 0 ? [`${accent(bar(done, total))} ${describeCounts(report.counts)}`] : []),
    ...report.next.map(
      ({ id, title, attempt, ...more }) =>
        `next   ${bold(id)} ${oneLine(title, 80)}${attempt > 1 ? warn(` (attempt ${attempt} of ${report.maxAttempts})`) : ""}${spentSoFar(more, dim)}`,
    ),
    ...report.asked.map(({ line, holds }) =>
      warn(`asked  ${short(line, 300)}${holds.length > 1 ? `; ${holds.length} tasks wait` : ""}`),
    ),
  ];
}

interface Surroundings {
  /** How to see what was built. */
  readonly summary: string;
  readonly now: string;
  /** How to see the other specs. */
  readonly elsewhere: string;
}

const spentSoFar = ({ spent = null }: { spent?: Spent | null }, dim: Paint["dim"]): string =>
  spent === null ? "" : dim(` (${formatSpent(spent)} so far)`);

/** The whole of `status`. */
export function renderStatus(
  report: Status,
  style: Paint,
  { summary, now, elsewhere }: Surroundings,
): string {
  const { dim, good, bad } = style;
  const { active, others, unit } = report;
  const [head = "", ...progress] = renderProgress(report, style);
  return [
    head,
    ...(report.phase === EXECUTION || report.total > 0
      ? []
      : [
          report.documents
            .map(({ document, exists }) => (exists ? good(`✓ ${document}`) : dim(`· ${document}`)))
            .join("  "),
        ]),
    ...progress,
    ...(report.spent === null
      ? []
      : [`cost   ${formatCosts(report.spent, report.spentByPurpose)}`]),
    ...(report.exhausted.length > 0
      ? [bad(`failed ${report.exhausted.join(", ")}: all ${report.maxAttempts} attempts used`)]
      : []),
    ...(report.phase === EXECUTION || report.done > 0 ? [] : report.openPoints).map(
      (point, i) => `open   ${i + 1}. ${short(point.phase, 20)}: ${short(formatPoint(point), 200)}`,
    ),
    ...(report.events.length > 0
      ? [
          dim(
            `turn   ${report.iteration} of ${report.maxIterations}; ${report.session === null ? "no client session yet" : `session ${short(report.session, 60)}`}${report.thisSession === true ? " (this one)" : ""}`,
          ),
        ]
      : []),
    ...report.events.map(({ at, event, task, note, times }) =>
      dim(
        `${localTime(at, now)}  ${short(event, 20)}${task === undefined ? "" : ` ${short(task, 20)}`}${note === undefined ? "" : `: ${short(note, 100)}`}${tellTimes(times)}`,
      ),
    ),
    ...(active === null || active === report.spec ? [] : [dim(`active ${active}`)]),
    ...others
      .filter(({ on }) => on)
      .map((other) => dim(`beside ${oneLine(other.spec, 60)}: ${oneLine(other.standing, 100)}`)),
    ...(others.length === 0 ? [] : [dim(`others ${counted(others.length, unit)}; ${elsewhere}`)]),
    ...(report.todo === null ? [] : [`→ ${report.todo}`]),
    ...(report.standing === "finished"
      ? [
          `→ ${summary}${active === report.spec ? "" : ` ${quoteName(report.spec)}`} shows what was built, what proves it and how to undo it`,
        ]
      : []),
  ].join("\n");
}

function bar(done: number, total: number, width = 24): string {
  const filled = Math.floor((done / total) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}

/** `demo 3/6 · next 2.4 Write the parser`, for a client's status line. */
export function renderStatusLine(report: Progress, colour: boolean): string {
  const style = paint(colour);
  const { done, total, standing, next } = report;
  const [first, ...others] = next;
  const name = `${style.bold(report.spec)}${total > 0 ? ` ${done}/${total}` : ""}`;
  if (standing !== "running" || first === undefined)
    return `${name} · ${standingIn(report, style)}`;
  const attempt =
    first.attempt > 1 ? style.warn(` (attempt ${first.attempt} of ${report.maxAttempts})`) : "";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${name} · next ${first.id} ${oneLine(first.title, 60)}${more}${attempt}`;
}

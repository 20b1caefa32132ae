import { localTime } from "../../engine/local-time.ts";
import type { readProgress, readStatus } from "../../engine/read-status.ts";
import { commandFor, isInClient, type Request } from "../../engine/request.ts";
import { describeCounts } from "../../facts/classify.ts";
import type { Waiting } from "../../facts/waiting.ts";
import { EXECUTION, type Edition } from "../../layouts/layout.ts";
import { formatCosts, formatSpent } from "../../run/cost.ts";
import { HAND_OUTS } from "../../run/journal-lines.ts";
import { formatPoint } from "../../spec/open-points.ts";
import { quoteName } from "../../text/quote.ts";
import { tellTimes } from "../../text/repeats.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import type { Context } from "./command.ts";
import { tellEntry } from "./log-lines.ts";
import { paint, type Paint } from "./paint.ts";
import { renderWaiting } from "./waiting-lines.ts";

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

/** What a screen about one spec shows. */
export interface Shown {
  readonly report: Status;
  readonly waiting: readonly Waiting[];
}

/** What it is, what is going on, how far it is, what waits for the user: where a spec is, for a short screen. */
export function renderProgress({ report, waiting }: Shown, context: Look): string[] {
  const style = paint(context.colour);
  const { bold, dim, warn, accent } = style;
  const { done, total, goal, standing, spec } = report;
  // What waits is told below, with its command.
  const isTold = standing.startsWith("waiting") || waiting.some(({ kind }) => kind === "approval");
  const why = report.why === null || isTold ? "" : `: ${short(report.why, 300)}`;
  return [
    `${bold(spec)} ${dim(report.path)}  ${standingIn(report, style)}${why}`,
    ...(goal === null || spec.endsWith(goal.replaceAll(" ", "-")) ? [] : [short(goal, 300)]),
    ...(total > 0 ? [`${accent(bar(done, total))} ${describeCounts(report.counts)}`] : []),
    ...report.next.map(
      ({ id, title, attempt, spent }) =>
        `${standing === "running" ? "now " : "next"}   ${bold(id)} ${oneLine(title, 80)}${attempt > 1 ? warn(` (attempt ${attempt} of ${report.maxAttempts})`) : ""}${spent === null ? "" : dim(` (${formatSpent(spent)} so far)`)}`,
    ),
    ...renderWaiting(waiting, style, context.width),
  ];
}

/** What to do next, unless what waits says it. */
export function renderTodo({ report: { standing, todo }, waiting }: Shown): string[] {
  const isTold =
    (standing.startsWith("waiting") || standing === "stopped") &&
    waiting.some(({ kind }) => SETTLES.has(kind));
  return todo === null || isTold ? [] : [`→ ${todo}`];
}

/** After these the spec goes on. */
const SETTLES: ReadonlySet<Waiting["kind"]> = new Set([
  "approval",
  "question",
  "skipped",
  "stopped",
]);

type Look = Pick<Context, "colour" | "width">;

/** How the reader gets to the list of specs. */
export const listingCommand = (request: Request, { voice }: Edition): string =>
  isInClient(request)
    ? `${voice.command("switch")} lists them`
    : `${request.program} list shows them`;

/** As many of the last events as tell what is going on. */
const MAX_EVENTS = 3;
/** Told above, if they still count. */
const TOLD: ReadonlySet<string> = new Set(["asked", "answered", "skipped", "awaiting"]);

/** The whole of `status`. */
export function renderStatus(shown: Shown, context: Context, layout: Edition): string {
  const now = context.now().at;
  const style = paint(context.colour);
  const { dim, good, bad } = style;
  const { report } = shown;
  const { active, others, unit } = report;
  const [head = "", ...progress] = renderProgress(shown, context);
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
    ...(report.exhausted.length > 0
      ? [bad(`failed ${report.exhausted.join(", ")}: all ${report.maxAttempts} attempts used`)]
      : []),
    ...(report.phase === EXECUTION || report.done > 0 ? [] : report.openPoints).map(
      (point, i) => `open   ${i + 1}. ${short(point.phase, 20)}: ${short(formatPoint(point), 200)}`,
    ),
    ...(report.spent === null
      ? []
      : [`cost   ${formatCosts(report.spent, report.spentByPurpose)}`]),
    ...report.events
      .filter(({ event }) => !TOLD.has(event) && !HAND_OUTS.has(event))
      .slice(-MAX_EVENTS)
      .map(({ at, times, task, note, event }) => {
        const told = tellEntry(
          {
            event,
            ...(task === undefined ? {} : { task }),
            ...(note === undefined ? {} : { note: short(note, 100) }),
          },
          PLAIN,
        );
        return dim(`${localTime(at, now)}  ${told}${tellTimes(times)}`);
      }),
    ...(active === null || active === report.spec ? [] : [dim(`active ${active}`)]),
    ...others
      .filter(({ on }) => on)
      .map((other) => dim(`beside ${oneLine(other.spec, 60)}: ${oneLine(other.standing, 100)}`)),
    ...(others.length === 0
      ? []
      : [dim(`others ${counted(others.length, unit)}; ${listingCommand(context, layout)}`)]),
    ...renderTodo(shown),
    ...(report.standing === "finished"
      ? [
          `→ ${commandFor(context, layout, "summary")}${active === report.spec ? "" : ` ${quoteName(report.spec)}`} shows what was built, what proves it and how to undo it`,
        ]
      : []),
  ].join("\n");
}

const PLAIN = paint(false);

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

import { tellDied } from "../../engine/local-time.ts";
import { BRANCH_PREFIX } from "../../engine/trunk-record.ts";
import { describeCounts } from "../../facts/classify.ts";
import { headOf, listed, type Section, sectionsOf, wayOf, workIn } from "../../facts/page.ts";
import type { Summary } from "../../facts/summary.ts";
import { formatSpent, formatTime } from "../../run/cost.ts";
import type { Page, Report } from "../../runner/report.ts";
import { RUN_ENDS } from "../../runner/run-status.ts";
import { oneLine } from "../../text/template.ts";
import { capitalize } from "../../text/wording.ts";
import { shorten, widthOf, wrap } from "../cli/columns.ts";
import type { Context, Input } from "../cli/command.ts";
import { paint, type Paint } from "../cli/paint.ts";
import { renderWaiting } from "../cli/waiting-lines.ts";
import { tableOf } from "./page-table.ts";

/** The end of a run, and what `summary` shows, on one screen: what to do comes last, where the eye is. */
export function showPage(
  { specs, report }: Page,
  { colour, width = Infinity }: Pick<Context, "colour" | "width">,
  { verbose }: Input["options"] = {},
): string {
  const style = paint(colour);
  const goals = specs.flatMap((one) => goalOf(one, specs.length > 1));
  const isTaken = report.specs.every(({ branch }) => branch?.startsWith(BRANCH_PREFIX) !== true);
  const flow = (lines: readonly string[]): string => wrap(lines.join("\n"), width);
  const sections = [
    ...sectionsOf(specs, setbacksIn(report, verbose === true, width - 2)),
    ...(verbose === true ? specs.map(workIn) : []),
    ...specs.map(pointsIn),
    listed("Cost:", costLines(report, verbose === true), Infinity),
  ];
  return [
    flow([
      ...(report.run === "" ? [] : [titleOf(report, style)]),
      ...goals.map((goal) => shorten(goal, width)),
      ...(report.run === "" ? specs.flatMap(headOf) : [totals(report)]),
    ]),
    flow(tableOf(report.tasks, style, width)),
    flow(sections.flatMap((section) => showSection(section, style, width))),
    renderWaiting(report.waiting, style, width, report.specs.length).join("\n"),
    // Until it is taken, nothing of it is in the user's own branch.
    isTaken ? flow(specs.flatMap(wayOf)) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function titleOf({ epic, specs, status, died, run }: Report, style: Paint): string {
  const tint = style[status === null ? "warn" : RUN_ENDS[status].tint];
  const name = epic ?? specs.map((one) => one.name).join(", ");
  const state =
    status !== null ? RUN_ENDS[status].words : died === null ? "running" : tellDied(died);
  return `${style.bold(name)}  ${tint(state)}  ${style.dim(run)}`;
}

/** Nothing if it is only the name again. */
const goalOf = ({ spec, goal }: Summary, many: boolean): string[] =>
  goal === null || spec.endsWith(goal.replaceAll(" ", "-"))
    ? []
    : [many ? `${spec}: ${goal}` : goal];

/** `7 of 12 tasks done: 7 proven. In 42 min, 1.2M tokens, ~$5.85.` If other runs did some, it says how many this run did. */
export function totals(report: Report): string {
  const { text, status, counts } = report;
  const own = report.tasks.filter(({ done }) => done === "now").length;
  const spent = `in ${formatTime(report.ms)}, ${formatSpent({ ...report, ms: null })}`;
  // What waits for the user says what is not proven.
  const isTold =
    ["", status].includes(text) || (status === "unproven" && report.unproven.length > 0);
  return [
    counts.total === 0 ? "no tasks yet" : describeCounts(counts),
    own === counts.done ? spent : `this run did ${own || "none"} of them ${spent}`,
    ...(isTold ? [] : [oneLine(text, 300)]),
  ]
    .map((one) => `${capitalize(one)}${/[.!?]$/.test(one) ? "" : "."}`)
    .join(" ");
}

/** One line a task; a question tells why its own is not done. Or each attempt of this run, in full. */
function setbacksIn({ tasks, specs }: Report, isVerbose: boolean, width: number): Section {
  const all = tasks.flatMap(({ spec, id, state, setback, refusals }) => {
    const each = refusals.map(
      (one) => `${id}, attempt ${one.attempt}: ${oneLine(one.reason, 300)}`,
    );
    const lines = isVerbose ? each : state !== "waits" && setback !== null ? [setback] : [];
    return lines.map((line) => (specs.length > 1 ? `${spec} ${line}` : line));
  });
  const lines = all.map((line) => `- ${isVerbose ? line : shorten(line, width)}`);
  return lines.length === 0 ? [] : ["Setbacks:", ...lines];
}

/** Per agent, and where the numbers come from, as far as the totals do not say it. */
export function costLines({ byAgent, sources, earlier }: Report, isVerbose: boolean): string[] {
  return [
    ...(byAgent.length > 1 || isVerbose ? byAgent : []).map(
      ({ agent, starts, ...figures }) =>
        `${agent}: started ${starts === 1 ? "once" : `${starts} times`}, ${formatSpent({ ...figures, ms: null })}`,
    ),
    ...(sources.includes("prices") ? ["~ is from tokens and the prices in your settings"] : []),
    ...(sources.includes("unknown") ? [UNCOUNTED] : []),
    ...(earlier === null
      ? []
      : [`before this run: ${formatSpent(earlier)}, which is not in the numbers above`]),
  ];
}

const UNCOUNTED =
  "some of it is not counted: an agent reported no cost, and your settings have no price for its model";

/** The table has the tasks that are open. */
const pointsIn = ({ openPoints, tasks }: Summary): Section =>
  listed("Open points:", openPoints.slice(tasks.filter(({ done }) => !done).length));

/** One line stands beside its title, if there is room. */
function showSection([title = "", ...items]: Section, style: Paint, width: number): string[] {
  const beside = `${style.bold(title)} ${items[0]?.slice(2) ?? ""}`;
  if (items.length === 1 && widthOf(beside) <= width) return [beside];
  const mark = title === "Setbacks:" ? style.bad("✗") : "·";
  return title === "" ? [] : [style.bold(title), ...items.map((item) => mark + item.slice(1))];
}

import { describeCounts } from "../facts/classify.ts";
import { MARKS } from "../facts/marks.ts";
import { formatCost, formatSpent, formatTime } from "../run/cost.ts";
import { oneLine } from "../text/template.ts";
import type { RunStatus } from "./events.ts";
import type { Report, TaskReport } from "./report.ts";

/** How a run ended, for people. */
export const STATUS: Readonly<Record<RunStatus, string>> = {
  finished: "finished",
  unproven: "done, but not all of it is proven",
  stuck: "stuck",
  waits: "waits for you",
  budget: "budget used up",
  unavailable: "no agent can work",
  stopped: "stopped",
};

/** The report as Markdown. */
export function renderReport(report: Report): string {
  const { tasks } = report;
  const many = report.specs.length > 1;
  return [
    `# Run ${report.run}: ${report.status === null ? "not ended" : STATUS[report.status]}`,
    totals(report),
    section(
      "Waits for you",
      report.waiting.map(({ what, todo }) => `- ${cell(what)} → \`${oneLine(todo, 300)}\``),
    ),
    tasks.length === 0
      ? ""
      : [
          "## Tasks",
          "",
          "| task | done | agent | attempts | Verify | commit | time | cost |",
          "|---|---|---|---:|---|---|---:|---:|",
          ...tasks.map((task) => `| ${taskCells(task, many).map(cell).join(" | ")} |`),
        ].join("\n"),
    section("Setbacks", refusalLines(tasks, many)),
    section(
      "Assumed for you",
      report.assumptions.map((text) => `- ${oneLine(text, 300)}`),
    ),
    section("Cost", costLines(report)),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [`## ${title}`, "", ...lines].join("\n");

const cell = (text: string): string => oneLine(text, 300).replaceAll("|", "\\|");

/** `7 of 12 tasks done in 42 min, 1.2M tokens, ~$5.85.` If other runs did some, it says how many this run did. */
export function totals(report: Report): string {
  const { ms, text } = report;
  const count = (when: TaskReport["done"]): number =>
    report.tasks.filter((one) => one.done === when).length;
  const [before, since] = [count("before"), count("since")];
  const spent = formatSpent({ ...report, ms: null });
  const all = describeCounts(report.counts);
  const end = text === "" ? "" : ` ${sentence(oneLine(text, 300))}`;
  if (before + since === 0) return `${all}. ${[`In ${formatTime(ms)}`, spent].join(", ")}.${end}`;
  const own = [`This run did ${count("now") || "none"} in ${formatTime(ms)}`, spent].join(", ");
  const others = [
    ...(before === 0 ? [] : [`${before} ${were(before)} done before it`]),
    ...(since === 0 ? [] : [`${since} ${were(since)} done after it`]),
  ];
  return `${all}. ${[own, ...others].join("; ")}.${end}`;
}

const were = (count: number): string => (count === 1 ? "was" : "were");

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** A row of the table, in a terminal as in Markdown. */
export function taskCells(task: TaskReport, many: boolean): string[] {
  const { spec, id, title, state, done, agents, attempts, commit, ms } = task;
  return [
    `${many ? `${spec} ` : ""}${id} ${oneLine(title, 80)}`,
    state === "waits" && task.class === "open" ? "waits" : MARKS[task.class],
    agents.join(", "),
    attempts === 0 ? "" : String(attempts),
    proofOf(task),
    commit?.slice(0, 9) ?? "",
    OTHERS[done ?? "now"] ?? (ms === 0 ? "" : formatTime(ms)),
    formatCost(task),
  ];
}

/** Shown in place of the time if another run did the task. */
const OTHERS: Readonly<Partial<Record<string, string>>> = { before: "earlier", since: "later" };

/** `proven: red → green`: it failed before the work and passes after it. */
function proofOf({ class: is, state, before, after, note, weakness }: TaskReport): string {
  if (state !== "done") return is === "open" ? "" : is;
  const colours = `${before === null ? "" : COLOURS[before]}green`;
  const isColour = is !== "accepted" && after === "passed";
  return `${is}: ${weakness ?? (isColour ? colours : (note ?? "not run"))}`;
}

const COLOURS = { failed: "red → ", passed: "green → ", unknown: "" } as const;

export const refusalLines = (tasks: readonly TaskReport[], many: boolean): string[] =>
  tasks.flatMap(({ spec, id, refusals }) =>
    refusals.map(
      ({ attempt, reason }) =>
        `- ${many ? `${spec} ` : ""}${id}, attempt ${attempt}: ${oneLine(reason, 300)}`,
    ),
  );

const SOURCES = {
  agent: "what the agents report",
  prices: "tokens and the prices in your settings",
} as const;

/** Per agent, and where the numbers come from. */
export function costLines({ byAgent, sources, earlier }: Report): string[] {
  const from = sources.flatMap((one) => (one === "unknown" ? [] : [SOURCES[one]]));
  return [
    ...byAgent.map(
      ({ agent, starts, ...figures }) =>
        `- ${cell(agent)}: started ${starts === 1 ? "once" : `${starts} times`}, ${formatSpent({ ...figures, ms: null })}`,
    ),
    ...(from.length === 0 ? [] : [`- The dollars are from ${from.join(", and from ")}.`]),
    ...(sources.includes("unknown")
      ? [
          "- Some of it is not counted: an agent reported no cost, and your settings have no price for its model.",
        ]
      : []),
    ...(earlier === null
      ? []
      : [`- Before this run: ${formatSpent(earlier)}. That is not in the numbers above.`]),
  ];
}

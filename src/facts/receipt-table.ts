import { type Evidence, OUTCOMES, type Outcome, type Tree, TREES } from "../run/claim/evidence.ts";
import { formatSpent } from "../run/cost.ts";
import type { Amendment } from "../run/journal.ts";
import { isRowRule, splitRow } from "../text/markdown.ts";
import { linesBelow } from "../text/sections.ts";
import { readSpans } from "../text/spans.ts";
import { showCommand } from "../text/template.ts";
import type { ReceiptRow } from "./receipt.ts";
import type { TaskFacts } from "./task-facts.ts";

/** The heading of the receipt in `.progress.md`. */
export const RECEIPT = "Receipt";

/** The receipt as people read it, in `.progress.md`. */
export function renderReceipt(
  tasks: readonly TaskFacts[],
  amendments: readonly Amendment[] = [],
): string {
  // Only newer clients say what a task cost.
  const hasCost = tasks.some(({ spent }) => spent !== null);
  const rows = tasks.map((task) => {
    const cells = [
      cell(task.id),
      cell(task.class + (task.weakness === null ? "" : `: ${task.weakness}`)),
      task.attempts,
      task.evidence.map(checkCell).join("<br>"),
      task.before.map(({ outcome }) => outcome).join("<br>"),
      task.evidence.map(({ outcome }) => outcome).join("<br>") || cell(task.note ?? ""),
      commitCell(task),
      task.milliseconds === null ? "" : `${Math.round(task.milliseconds / 1000)} s`,
      ...(hasCost ? [task.spent === null ? "" : formatSpent(task.spent)] : []),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const changes = amendments.map(
    (one) => `- ${cell(one.task)}: ${code(one.old)} became ${code(one.new)}: ${cell(one.reason)}`,
  );
  return [
    `| ${[...COLUMNS, ...(hasCost ? ["cost"] : [])].join(" | ")} |`,
    `|---|---|---:|---|---|---|---|---:|${hasCost ? "---|" : ""}`,
    ...rows,
    ...(changes.length === 0 ? [] : ["", "Changed during the run:", "", ...changes]),
  ].join("\n");
}

const COLUMNS = ["task", "class", "attempts", "verify", "before", "result", "commit", "time"];

/** The command, and what was expected of it, if not just exit 0. */
const checkCell = ({ command, expects }: Evidence): string =>
  code(command) + (expects === undefined ? "" : ` (${plainWords(expects)})`);

/** Words as a cell of the table can hold them. */
export const plainWords = (text: string): string => oneLine(text.replace(/[`<>|\\]/g, "'"));

/** `3f2a91c12 (dirty)`, `no git` */
function commitCell({ commit, tree }: TaskFacts): string {
  if (commit === null) return tree === "no-git" ? "no git" : "";
  const short = cell(commit.slice(0, 9));
  return tree === null || tree === "clean" ? short : `${short} (${tree})`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const cell = (text: string): string => oneLine(text).replaceAll("|", "\\|");

/** As it was run, in a code span with more backticks than the command contains. */
function code(command: string): string {
  const runs = command.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const pad = runs.length > 0 ? " " : "";
  return fence + pad + showCommand(command, Infinity).replaceAll("|", "\\|") + pad + fence;
}

/** Commands as such a table reads back: one line each, every run of whitespace one space, after Markdown has changed the rest. */
export function parseCode(commands: readonly string[]): string[] {
  const [, verify = ""] =
    splitRow(`| | ${commands.map((one) => code(oneLine(one))).join("<br>")} |`) ?? [];
  return readChecks(verify).map(({ command }) => command);
}

/** The columns of tables that older versions wrote and read back. Before 4.4 nobody looked how a command ended before the work. */
const OLD_COLUMNS = ["task", "done", "attempts", "verify", "before", "result", "commit", "time"];
const OLD_WITH_COST = [...OLD_COLUMNS, "cost"];
const OLDEST_COLUMNS = OLD_COLUMNS.filter((name) => name !== "before");

/** The done tasks in the receipt of an older version, which had only a table in `.progress.md`. */
export function parseReceipt(progress: string): ReceiptRow[] {
  const rows: ReceiptRow[] = [];
  let columns: readonly string[] | undefined;
  for (const line of linesBelow(progress, (text) => text.trimEnd() === `## ${RECEIPT}`)) {
    const cells = splitRow(line.trim());
    if (cells === undefined) {
      // Whatever follows the table is not ours.
      if (columns !== undefined) break;
    } else if (columns !== undefined) {
      if (!isRowRule(cells) && cells[columns.indexOf("done")] === "yes")
        rows.push(readRow(columns, cells));
    } else
      columns = [OLD_COLUMNS, OLD_WITH_COST, OLDEST_COLUMNS].find(
        (names) => names.join() === cells.join(),
      );
  }
  return rows;
}

function readRow(columns: readonly string[], cells: readonly string[]): ReceiptRow {
  const at = (name: string): string => cells[columns.indexOf(name)] ?? "";
  const checks = readChecks(at("verify"));
  const outcomes = at("result").split("<br>").map(readOutcome);
  const [, commit = "", state] = /^(\S*?)(?: \(([\w-]+)\))?$/.exec(at("commit")) ?? [];
  return {
    id: at("task"),
    verify: checks.map((check, i) => ({ ...check, after: outcomes[i] ?? "unrun" })),
    before: at("before") === "" ? [] : at("before").split("<br>").map(readOutcome),
    commit: commit || null,
    tree: readTree(at("commit"), state, columns !== OLDEST_COLUMNS),
    note: checks.length > 0 ? null : at("result") || null,
  };
}

const readOutcome = (text: string): Outcome =>
  OUTCOMES.find((one) => one === text || text.startsWith(`${one} (`)) ?? "unrun";

/** Without a mark it was clean, but an older version would not have marked it. */
function readTree(said: string, mark: string | undefined, isNew: boolean): Tree | null {
  if (said === "no git") return "no-git";
  if (mark !== undefined) return TREES.find((one) => one === mark) ?? null;
  return isNew && said !== "" ? "clean" : null;
}

function readChecks(verify: string): Pick<Evidence, "command" | "expects">[] {
  const spans = readSpans(verify);
  return spans.map(({ start, end, code: text }, i) => {
    const command = verify.startsWith("``", start) ? text.slice(1, -1) : text;
    const after = verify.slice(end, spans[i + 1]?.start).replace(/<br>$/, "");
    const words = /^ \((.*)\)$/.exec(after)?.[1];
    return { command, ...(words === undefined ? {} : { expects: words }) };
  });
}

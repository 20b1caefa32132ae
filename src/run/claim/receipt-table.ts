import { isRowRule, splitRow } from "../../text/markdown.ts";
import { findNotes } from "../../text/sections.ts";
import { readSpans } from "../../text/spans.ts";
import { showCommand } from "../../text/template.ts";
import type { Amendment } from "../change/amend.ts";
import { formatSpent } from "../cost.ts";
import { type Evidence, OUTCOMES, type Tree, TREES } from "./evidence.ts";
import type { Outcome, ReceiptLine } from "./receipt.ts";

/** The heading of the receipt in `.progress.md`. */
export const RECEIPT = "Receipt";

/** The receipt as Markdown, for `.progress.md`; `parseReceipt` reads it back. */
export function renderReceipt(
  lines: readonly ReceiptLine[],
  amendments: readonly Amendment[] = [],
): string {
  // Only newer clients say what a task cost.
  const columns = lines.some(({ spent }) => spent !== null) ? WITH_COST : COLUMNS;
  const rows = lines.map((line) => {
    const verify = line.evidence.map(checkCell).join("<br>");
    const result = line.evidence.map(resultCell).join("<br>") || cell(line.note ?? "");
    const cells = [
      cell(line.id),
      line.done ? "yes" : "no",
      line.attempts,
      verify,
      line.before.join("<br>"),
      result,
      commitCell(line),
      line.milliseconds === null ? "" : `${Math.round(line.milliseconds / 1000)} s`,
      ...(columns === COLUMNS ? [] : [line.spent === null ? "" : formatSpent(line.spent)]),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const changes = amendments.map(
    (one) => `- ${cell(one.task)}: ${code(one.old)} became ${code(one.new)}: ${cell(one.reason)}`,
  );
  return [
    `| ${columns.join(" | ")} |`,
    `|---|---|---:|---|---|---|---|---:|${columns === COLUMNS ? "" : "---|"}`,
    ...rows,
    ...(changes.length === 0 ? [] : ["", "Changed during the run:", "", ...changes]),
  ].join("\n");
}

/** The command, and what was expected of it, if not just exit 0. */
const checkCell = ({ command, expects }: Evidence): string =>
  code(command) + (expects === undefined ? "" : ` (${plainWords(expects)})`);

/** `passed`; what could not have failed is marked. */
const resultCell = ({ outcome, doubt }: Evidence): string =>
  doubt === undefined ? outcome : `${outcome} (proves nothing)`;

/** Words as a cell of the table can hold them. */
export const plainWords = (text: string): string => oneLine(text.replace(/[`<>|\\]/g, "'"));

const COLUMNS = ["task", "done", "attempts", "verify", "before", "result", "commit", "time"];
const WITH_COST = [...COLUMNS, "cost"];
/** Before 4.4 nobody looked how a command ended before the work. */
const OLD_COLUMNS = COLUMNS.filter((name) => name !== "before");

/** `3f2a91c12 (dirty)`, `no git` */
function commitCell({ commit, tree }: ReceiptLine): string {
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

/** Commands as a receipt reads back. Older versions wrote every run of whitespace as one space. */
export const parseOldCode = (commands: readonly string[]): string[] =>
  parseCode(commands.map(oneLine));

/** Commands as a receipt reads back: one line each, after Markdown has changed the rest. */
export function parseCode(commands: readonly string[]): string[] {
  const [, verify = ""] = splitRow(`| | ${commands.map(code).join("<br>")} |`) ?? [];
  return readChecks(verify).map(({ command }) => command);
}

/** A line of a receipt, as far as it can be read back: no output, no exit code, a short commit. */
export interface ReceiptRow {
  readonly id: string;
  readonly done: boolean;
  readonly evidence: readonly Pick<Evidence, "command" | "outcome" | "expects">[];
  readonly before: readonly Outcome[];
  readonly commit: string | null;
  readonly tree: Tree | null;
  readonly note: string | null;
}

/** The receipt in a `.progress.md`: all that is left of a run without its journal. */
export function parseReceipt(progress: string): ReceiptRow[] {
  const lines = progress.split(/\r?\n/);
  const notes = findNotes(lines, (line) => line.trimEnd() === `## ${RECEIPT}`);
  const rows: ReceiptRow[] = [];
  let columns: readonly string[] | undefined;
  for (const line of notes === undefined ? [] : lines.slice(notes.start + 1, notes.end)) {
    const cells = splitRow(line.trim());
    if (cells === undefined) {
      // Whatever follows the table is not ours.
      if (columns !== undefined) break;
    } else if (columns !== undefined) {
      if (!isRowRule(cells)) rows.push(readRow(columns, cells));
    } else
      columns = [COLUMNS, WITH_COST, OLD_COLUMNS].find((names) => names.join() === cells.join());
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
    done: at("done") === "yes",
    evidence: checks.map((check, i) => ({ ...check, outcome: outcomes[i] ?? "unrun" })),
    before: at("before") === "" ? [] : at("before").split("<br>").map(readOutcome),
    commit: commit || null,
    tree: readTree(at("commit"), state, columns !== OLD_COLUMNS),
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

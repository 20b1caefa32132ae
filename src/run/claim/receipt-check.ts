import { fieldOf } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { EXIT_0, formatExpectation } from "../../tasks/verify/expectation.ts";
import { parseVerify } from "../../tasks/verify/verify.ts";
import type { Entry } from "../journal.ts";
import type { Settings } from "../settings.ts";
import { parseCode, parseOldCode, plainWords, type ReceiptRow } from "./receipt-table.ts";
import { BY_HAND, FROM_TERMINAL, GIVEN, hasVerdict, type ReceiptLine } from "./receipt.ts";
import { fitCommands, planVerification } from "./verification.ts";

/** What git knows about the commits in a receipt. */
export interface History {
  /** `none`: git cannot be asked here. `part`: a shallow clone, which may be why a commit is missing. */
  readonly kind: "none" | "part" | "whole";
  /** The commits that exist, as the receipt writes them. */
  readonly commits: ReadonlySet<string>;
}

/** Somebody's word: the box was ticked without a report, by hand or before the run began. */
export const isWord = (note: string | null): boolean =>
  note === BY_HAND || note?.startsWith(GIVEN) === true;

/** The user looked at it and said `accept`. */
export const isAccepted = (note: string | null): boolean =>
  /^accepted (?:by the user|from a terminal)\b/.test(note ?? "");

/** Somebody said `accept` at a terminal: the user, as far as anyone knows. */
export const isFromTerminal = (note: string | null): boolean =>
  note?.includes(FROM_TERMINAL) === true;

export interface ReceiptVerdict {
  /** Why the row proves nothing; continues "1.1 is ticked, but". */
  readonly doubt: string | undefined;
  /** Its commit could not be checked. */
  readonly isUnchecked: boolean;
}

/**
 * Whether a row of a receipt can be true. Anyone can write one, and there is no journal to compare it with: at least it
 * must name the task's Verify commands and a commit that exists.
 */
export function judgeRow(
  row: ReceiptRow,
  list: TaskList,
  task: Task,
  settings: Settings,
  history: History,
): ReceiptVerdict {
  // A row that does not claim proof needs no check.
  const isClaim =
    !isWord(row.note) &&
    !isAccepted(row.note) &&
    row.evidence.every(({ outcome }) => outcome === "passed");
  if (!isClaim) return { doubt: undefined, isUnchecked: false };
  const doubt = judgeCommands(row, list, task, settings) ?? judgeCommit(row, history);
  return { doubt, isUnchecked: doubt === undefined && isUnknown(row, history) };
}

function judgeCommit(row: ReceiptRow, history: History): string | undefined {
  const { commit, evidence } = row;
  if (evidence.length === 0 || history.kind === "none") return undefined;
  if (commit === null) return "its receipt names no commit";
  return history.commits.has(commit) || isUnknown(row, history)
    ? undefined
    : `the commit of its receipt, ${commit}, is not in this repository`;
}

const isUnknown = ({ commit, evidence }: ReceiptRow, { kind, commits }: History): boolean =>
  evidence.length > 0 && commit !== null && kind !== "whole" && !commits.has(commit);

function judgeCommands(
  { evidence, tree }: ReceiptRow,
  list: TaskList,
  task: Task,
  settings: Settings,
): string | undefined {
  // Receipts of older versions have no words, and do not say what was uncommitted.
  const withWords = (command: string, words: string | undefined): string =>
    words === undefined || words === "" || tree === null ? command : `${command} (${words})`;
  const named = evidence.map(({ command, expects }) => withWords(command, expects));
  // Settings may have kept a command from running.
  if (named.length === 0 && planVerification(list, task, settings).checks.length === 0)
    return undefined;
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  const fitting = fitCommands(checks.map(({ command }) => command));
  const [wanted, old] = [parseCode(fitting), parseOldCode(fitting)].map((commands) =>
    commands.map((command, i) =>
      withWords(command, plainWords(formatExpectation(checks[i]?.expects ?? EXIT_0))),
    ),
  ) as [string[], string[]];
  const isSame =
    named.length === wanted.length &&
    named.every((command, i) => command === wanted[i] || command === old[i]);
  if (isSame) return undefined;
  return `its receipt is about ${quoted(named)}, and its Verify is ${quoted(wanted)}`;
}

const quoted = (commands: readonly string[]): string =>
  commands.map((command) => `\`${command.slice(0, 100)}\``).join(", ") || "nothing that can be run";

/** Where the journal says nothing, as in a fresh clone, the receipt does. */
export function fillFromReceipt(
  lines: readonly ReceiptLine[],
  rows: readonly ReceiptRow[],
  entries: readonly Entry[],
): ReceiptLine[] {
  const byId = new Map(rows.filter(({ done }) => done).map((row) => [row.id, row]));
  return lines.map((line) => {
    const isUnsaid = line.note === BY_HAND && !hasVerdict(entries, line.id);
    const row = isUnsaid ? byId.get(line.id) : undefined;
    if (row === undefined) return line;
    const { commit, tree, before, note } = row;
    const unknown = { exitCode: null, milliseconds: 0, commit: commit ?? "", tail: "" };
    const evidence = row.evidence.map((one) => ({ ...unknown, ...one }));
    return { ...line, commit, tree, before, note, evidence };
  });
}

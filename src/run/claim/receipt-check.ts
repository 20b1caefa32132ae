import { parseCommands } from "../../tasks/verify-command.ts";
import { fieldOf } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { BY_HAND, parseCode, type ReceiptRow } from "./receipt.ts";
import type { Settings } from "../settings.ts";
import { fitCommands, planVerification } from "./verification.ts";

/** What git knows of the commits that a receipt names. */
export interface History {
  /** `none`: git cannot be asked here. `part`: a shallow clone, so that a commit may be missing for that reason. */
  readonly kind: "none" | "part" | "whole";
  /** Those of the commits that are there, as the receipt names them. */
  readonly commits: ReadonlySet<string>;
}

export interface ReceiptVerdict {
  /** Why the row proves nothing, to go on after "1.1 is ticked, but". */
  readonly doubt: string | undefined;
  /** Its commit could not be looked for. */
  readonly isUnchecked: boolean;
}

/**
 * Whether a row of a receipt can be true. Anyone may write one, and there is no journal to hold against it: at least it
 * must name what the task's Verify says, and a commit that exists.
 */
export function judgeRow(
  row: ReceiptRow,
  list: TaskList,
  task: Task,
  settings: Settings,
  history: History,
): ReceiptVerdict {
  // What proves nothing by its own word needs no second look.
  if (row.note === BY_HAND || row.evidence.some(({ outcome }) => outcome !== "passed"))
    return { doubt: undefined, isUnchecked: false };
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
  { evidence }: ReceiptRow,
  list: TaskList,
  task: Task,
  settings: Settings,
): string | undefined {
  const named = evidence.map(({ command }) => command);
  // Settings may have kept a command from being run.
  if (named.length === 0 && planVerification(list, task, settings).commands.length === 0)
    return undefined;
  const wanted = parseCode(fitCommands(parseCommands(fieldOf(list, task, "verify") ?? "")));
  const isSame =
    named.length === wanted.length && named.every((command, i) => command === wanted[i]);
  if (isSame) return undefined;
  return `its receipt is about ${quoted(named)}, and its Verify is ${quoted(wanted)}`;
}

const quoted = (commands: readonly string[]): string =>
  commands.map((command) => `\`${command.slice(0, 100)}\``).join(", ") || "nothing that can be run";

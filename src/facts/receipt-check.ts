import { BY_HAND, GIVEN } from "../run/claim/settled.ts";
import { fitCommands, planVerification } from "../run/claim/verification.ts";
import type { Settings } from "../run/settings.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { EXIT_0, formatExpectation } from "../tasks/verify/expectation.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import { parseCode, plainWords } from "./receipt-table.ts";
import type { ReceiptRow } from "./receipt.ts";

/** What git knows about the commits in a receipt. */
export interface History {
  /** `none`: git cannot be asked here. `part`: a shallow clone, which may be why a commit is missing. */
  readonly kind: "none" | "part" | "whole";
  /** The commits that exist, as the receipt writes them. */
  readonly commits: ReadonlySet<string>;
}

/** The user's word, as a receipt says it: they declared it done, or had ticked it before the run. */
export const isAccepted = (note: string | null): boolean =>
  /^accepted (?:by the user|from a terminal)\b/.test(note ?? "") ||
  note?.startsWith(GIVEN) === true;

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
    row.note !== BY_HAND &&
    !isAccepted(row.note) &&
    row.verify.every(({ after }) => after === "passed");
  if (!isClaim) return { doubt: undefined, isUnchecked: false };
  const doubt = judgeCommands(row, list, task, settings) ?? judgeCommit(row, history);
  return { doubt, isUnchecked: doubt === undefined && isUnknown(row, history) };
}

function judgeCommit(row: ReceiptRow, history: History): string | undefined {
  const { verify } = row;
  if (verify.length === 0 || history.kind === "none") return undefined;
  const named = commitsIn(row);
  if (named.length === 0)
    return row.rest?.commits?.length === 0 ? undefined : "its receipt names no commit";
  const gone = named.find((commit) => !history.commits.has(commit));
  return gone === undefined || isUnknown(row, history)
    ? undefined
    : `the commit of its receipt, ${gone}, is not in this repository`;
}

const isUnknown = (row: ReceiptRow, { kind, commits }: History): boolean =>
  row.verify.length > 0 && kind !== "whole" && commitsIn(row).some((one) => !commits.has(one));

/** Every commit that a row names. */
export const commitsIn = ({ commit, rest }: ReceiptRow): string[] => [
  ...new Set([...(commit === null ? [] : [commit]), ...(rest?.commits ?? [])]),
];

function judgeCommands(
  { verify, tree, rest }: ReceiptRow,
  list: TaskList,
  task: Task,
  settings: Settings,
): string | undefined {
  // Receipts of older versions have no words, and do not say what was uncommitted.
  const withWords = (command: string, words: string | undefined): string =>
    words === undefined || words === "" || tree === null ? command : `${command} (${words})`;
  const named = verify.map(({ command, expects }) => withWords(command, expects));
  // Settings may have kept a command from running.
  if (named.length === 0 && planVerification(list, task, settings).checks.length === 0)
    return undefined;
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  const commands = fitCommands(checks.map(({ command }) => command));
  const isTable = rest === undefined;
  const wanted = (isTable ? parseCode(commands) : commands).map((command, i) => {
    const words = formatExpectation(checks[i]?.expects ?? EXIT_0);
    return withWords(command, isTable ? plainWords(words) : words);
  });
  const isSame =
    named.length === wanted.length && named.every((command, i) => command === wanted[i]);
  if (isSame) return undefined;
  return `its receipt is about ${quoted(named)}, and its Verify is ${quoted(wanted)}`;
}

const quoted = (commands: readonly string[]): string =>
  commands.map((command) => `\`${command.slice(0, 100)}\``).join(", ") || "nothing that can be run";

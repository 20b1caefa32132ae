import { keepEnd } from "../text/cut.ts";
import { oneLine } from "../text/template.ts";

export const ALL_TASKS_COMPLETE = "ALL_TASKS_COMPLETE";
export const TASK_COMPLETE = "TASK_COMPLETE";
export const VERIFICATION_PASS = "VERIFICATION_PASS";

const VERIFICATION_FAIL = "VERIFICATION_FAIL";
/** Said by a main agent that works itself. */
const TASK_BLOCKED = "TASK_BLOCKED";
const DOCUMENT_READY = "DOCUMENT_READY";

/** Whether a message reports on what its agent was told to do, with whatever result. */
export const isReport = (message: string): boolean =>
  [
    TASK_COMPLETE,
    TASK_BLOCKED,
    VERIFICATION_PASS,
    VERIFICATION_FAIL,
    DOCUMENT_READY,
    "REVIEW_PASS",
    "REVIEW_FAIL",
  ].some((signal) => hasSignal(message, signal));

/** Whether an agent says that it cannot go on. */
export const isBlocked = (message: string): boolean =>
  hasSignal(message, TASK_BLOCKED) || readAfter(message, TASK_BLOCKED).length > 0;

/** Why a report that has the word for success does not count as one. Whoever says that it failed knows the words. */
export function tellUnstated(report: string): string | undefined {
  if ([TASK_BLOCKED, VERIFICATION_FAIL].some((word) => report.includes(word))) return undefined;
  const word = [TASK_COMPLETE, VERIFICATION_PASS].find(
    (one) => report.includes(one) && !hasSignal(report, one),
  );
  return word && `The report does not say ${word} on a line of its own, outside of code`;
}

/** Why something failed, on one line of `max` characters. What a check found is at the end of its report. */
export function excerptFailure(report: string, max: number): string {
  const line = oneLine(report, Infinity);
  const at = line.lastIndexOf(VERIFICATION_FAIL);
  if (at === -1 || line.length <= max) return oneLine(line, max);
  return line.length - at < max ? keepEnd(line, max) : oneLine(line.slice(at), max);
}

/** In a list item, a fence comes after bullets. */
const FENCE = /^ {0,3}((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^`]*)$/;

/**
 * Whether a message states the signal: on its own line, in bold or as a heading at most. A mention in a sentence, a
 * quotation, a comment or a code block does not count.
 */
export function hasSignal(message: string, signal: string): boolean {
  if (!message.includes(signal)) return false;
  for (const line of ownLines(message)) if (isStatement(line, signal)) return true;
  return false;
}

/** What the agent says after `NAME:`, on a line of its own and decorated as a signal may be. */
function readAfter(message: string, name: string): string[] {
  if (!message.includes(name)) return [];
  return [...ownLines(message)].flatMap((line) => {
    const { before = "", behind = "" } = splitAt(line, name) ?? {};
    const [colon = ""] = /^[*_`\s]*:[*`\s]*/.exec(behind) ?? [];
    return colon === "" || !isDecoration(before) ? [] : [stripEnd(behind.slice(colon.length))];
  });
}

const MAX_REASON = 300;

/** Why nothing had to change for the task, in the agent's words. */
export const readNoChange = (report: string): string | undefined =>
  readAfter(report, "NO_CHANGE")
    .map((why) => oneLine(why, MAX_REASON))
    .findLast((why) => why !== "");

/** Files that the agent says are not its own, as it wrote them. */
export const readNotMine = (report: string): string[] => readAfter(report, "NOT_MINE");

/** A pattern that searches for an end takes forever on a long line. */
function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && "*` \t\r".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The lines of a message that are neither code nor a comment. */
function* ownLines(message: string): Generator<string> {
  let fence: { readonly mark: string; readonly column: number } | undefined;
  for (const line of withoutHtml(message).split(/\r?\n/)) {
    const start = line.search(/\S/);
    // It ends with its list item, closed or not.
    if (fence !== undefined && start !== -1 && start < fence.column) fence = undefined;
    if (fence !== undefined) {
      const text = line.trim();
      const isEnd = text.startsWith(fence.mark) && text.replaceAll(fence.mark.charAt(0), "") === "";
      if (isEnd && start < fence.column + 4) fence = undefined;
      continue;
    }
    const [, bullets = "", mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined) fence = { mark, column: bullets === "" ? 0 : line.indexOf(mark) };
    else if (!/^(?: {4}|\t)/.test(line)) yield line;
  }
}

/** Comments are not output, and `<pre>` is code. */
const withoutHtml = (text: string): string =>
  text.includes("<")
    ? text.replace(/<!--[\s\S]*?(?:-->|$)|<pre\b[\s\S]*?(?:<\/pre>|$)/gi, "")
    : text;

/** Decoration may come before a signal and after it. The pattern matches all of that: searching for an end takes forever. */
function isStatement(line: string, signal: string): boolean {
  const { before, behind } = splitAt(line, signal, signal !== ALL_TASKS_COMPLETE) ?? {};
  if (before === undefined || behind === undefined || !isDecoration(before)) return false;
  return /^[*_`\s.!\p{Extended_Pictographic}\uFE0F]*$/u.test(behind);
}

/** Patterns are inside functions because compiling their character class takes time that most stops can save. */
const isDecoration = (before: string): boolean =>
  /^(?:#{1,6}\s)?[*_`\s\p{Extended_Pictographic}\uFE0F]*$/u.test(before);

/** What is before a word and after it. A report is often a list; the end of everything is not one of its points. */
function splitAt(
  line: string,
  word: string,
  inList = true,
): { readonly before: string; readonly behind: string } | undefined {
  if (!line.includes(word)) return undefined;
  const rest = inList ? line.replace(/^\s*(?:[-+]|\d{1,2}[.)])\s/, "") : line;
  const from = rest.indexOf(word);
  return { before: rest.slice(0, from).trimStart(), behind: rest.slice(from + word.length) };
}

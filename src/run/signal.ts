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
    else if (!/^(?: {4}|\t)/.test(line) && isStatement(line, signal)) return true;
  }
  return false;
}

/** Comments are not output, and `<pre>` is code. */
const withoutHtml = (text: string): string =>
  text.includes("<")
    ? text.replace(/<!--[\s\S]*?(?:-->|$)|<pre\b[\s\S]*?(?:<\/pre>|$)/gi, "")
    : text;

/**
 * Decoration may come before a signal and after it. Each pattern matches all of that: searching for an end takes
 * forever. They are here because compiling their character class takes time that most stops can save.
 */
function isStatement(line: string, signal: string): boolean {
  if (!line.includes(signal)) return false;
  // A report is often a list; the end of everything is not one of its points.
  const rest =
    signal === ALL_TASKS_COMPLETE ? line : line.replace(/^\s*(?:[-+]|\d{1,2}[.)])\s/, "");
  const from = rest.indexOf(signal);
  const before = /^(?:#{1,6}\s)?[*_`\s\p{Extended_Pictographic}\uFE0F]*$/u;
  const behind = /^[*_`\s.!\p{Extended_Pictographic}\uFE0F]*$/u;
  return (
    before.test(rest.slice(0, from).trimStart()) && behind.test(rest.slice(from + signal.length))
  );
}

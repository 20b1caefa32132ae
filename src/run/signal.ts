export const ALL_TASKS_COMPLETE = "ALL_TASKS_COMPLETE";
export const TASK_COMPLETE = "TASK_COMPLETE";
export const VERIFICATION_PASS = "VERIFICATION_PASS";

/** In a list item a fence stands behind bullets. */
const FENCE = /^ {0,3}((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^`]*)$/;

/**
 * Whether a message states the signal: on a line of its own, bold or a heading at most. A mention in a
 * sentence, a quotation, a comment or a code block is not a statement.
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

/** Comments are not said, and `<pre>` is code. */
const withoutHtml = (text: string): string =>
  text.includes("<")
    ? text.replace(/<!--[\s\S]*?(?:-->|$)|<pre\b[\s\S]*?(?:<\/pre>|$)/gi, "")
    : text;

/**
 * Decoration may stand in front of a signal and behind it. Each pattern looks at all of that: an end that is searched for
 * takes for ever. And they stand here because looking up their class of characters takes time that most stops can spare.
 */
function isStatement(line: string, signal: string): boolean {
  const at = line.indexOf(signal);
  if (at === -1) return false;
  const before = /^(?:#{1,6}\s)?[*_`\s\p{Extended_Pictographic}\uFE0F]*$/u;
  const behind = /^[*_`\s.!\p{Extended_Pictographic}\uFE0F]*$/u;
  return before.test(line.slice(0, at).trimStart()) && behind.test(line.slice(at + signal.length));
}

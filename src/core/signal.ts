export const ALL_TASKS_COMPLETE = "ALL_TASKS_COMPLETE";
export const TASK_COMPLETE = "TASK_COMPLETE";
export const VERIFICATION_PASS = "VERIFICATION_PASS";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Whether a message states the signal: on a line of its own, bold or a heading at most. A mention in a
 * sentence, a quotation or a code block is not a statement.
 */
export function states(message: string, signal: string): boolean {
  let fence: string | undefined;
  for (const line of message.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (!/^(?: {4}|\t)/.test(line) && plain(line) === signal) {
      return true;
    }
  }
  return false;
}

const plain = (line: string): string =>
  line
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(/^[*_`]+|[*_`]+$/g, "")
    .replace(/[.!]$/, "")
    .replace(/[*_`]+$/, "");

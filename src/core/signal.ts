export const ALL_TASKS_COMPLETE = "ALL_TASKS_COMPLETE";
export const TASK_COMPLETE = "TASK_COMPLETE";
export const VERIFICATION_PASS = "VERIFICATION_PASS";

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

/**
 * Whether a message states the signal: on a line of its own, bold or a heading at most. A mention in a
 * sentence, a quotation, a comment or a code block is not a statement.
 */
export function states(message: string, signal: string): boolean {
  if (!message.includes(signal)) return false;
  let fence: string | undefined;
  for (const line of withoutComments(message).split(/\r?\n/)) {
    const [, mark, info = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && info.trim() === "") fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (!/^(?: {4}|\t)/.test(line) && plain(line) === signal) {
      return true;
    }
  }
  return false;
}

const withoutComments = (text: string): string =>
  text.includes("<!--") ? text.replace(/<!--[\s\S]*?(?:-->|$)/g, "") : text;

/** The second pattern stands here because looking up its class of characters takes time that most stops can do without. */
const plain = (line: string): string =>
  line
    .trim()
    .replace(/^#{1,6}\s+/, "")
    .replace(
      /^(?:[*_`\s]|\p{Extended_Pictographic}|\uFE0F)+|(?:[*_`\s.!]|\p{Extended_Pictographic}|\uFE0F)+$/gu,
      "",
    );

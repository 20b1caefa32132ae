import { oneLine } from "../text/template.ts";
import type { InboxEntry } from "./inbox.ts";

/** Answers to questions that a run asks itself. The second one skips the task, whatever the question is. */
export const AGAIN = "try again";
export const LEAVE = "leave it";
export const REPLACE = "replace it";

/** What `unskip` answers. */
export const GO_ON = "go on";

type Asked = Pick<InboxEntry, "options">;

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Reads an answer: an option by its number, an option by its text in any case, or else the text itself. */
export function readAnswer({ options }: Asked, text: string): string {
  const byNumber = /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined;
  return byNumber ?? [...options, LEAVE].find((option) => isSame(option, text)) ?? text;
}

/** Whether an answer is the number of an option that is not there. */
export const isMisnumbered = (asked: Asked, text: string): boolean =>
  /^\d+$/.test(text) &&
  asked.options.length > 0 &&
  !asked.options.includes(readAnswer(asked, text));

/** `1. try again, 2. leave it` */
export const numberOptions = ({ options }: Asked): string =>
  options.map((option, i) => `${i + 1}. ${oneLine(option)}`).join(", ");

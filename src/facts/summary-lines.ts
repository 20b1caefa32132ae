import { stripMarkup } from "../run/change/recovery.ts";
import { oneLine } from "../text/template.ts";

/** Pages are read by people: more lines of a kind would hide the rest. */
const MAX_LINES = 12;
export const MAX_TEXT = 200;
const MAX_ANSWER = 300;

export const tellMore = (count: number): string => `… and ${count} more`;

export function listed(title: string, items: readonly string[], width = MAX_TEXT): string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_LINES;
  return [
    title,
    ...items.slice(0, MAX_LINES).map((item) => `- ${fit(item, width)}`),
    ...(more > 0 ? [`- ${tellMore(more)}`] : []),
  ];
}

/** What has to be cut loses its marks: half of a pair would change the rest of the page. */
export function fit(text: string, width = MAX_TEXT): string {
  const line = oneLine(text, Infinity);
  return line.length > width ? stripMarkup(line, width) : line;
}

/** The answer is what counts: the question is cut first. */
export function fitDecision(text: string): string {
  const at = text.indexOf(ANSWER);
  if (at === -1) return fit(text);
  const answer = fit(text.slice(at + ANSWER.length), MAX_ANSWER);
  return `${fit(text.slice(0, at), Math.max(60, MAX_TEXT - answer.length))}${ANSWER}${answer}`;
}

const ANSWER = `", you decided: `;

import type { Decided } from "../tasks/model.ts";
import { isObject, listOf, parseJson, string } from "../text/schema.ts";
import { clean, oneLine } from "../text/template.ts";
import { INBOX_LIMITS } from "./inbox.ts";

/*
 * Between a driven agent and its runner: questions go one way, one JSON object a line, and what the user has decided
 * about the task comes back in the same form.
 */

/** A question of a driven agent, as `ask` writes it for the runner. */
export interface AskedLine {
  readonly text: string;
  readonly options: readonly string[];
  /** If it is about another task than the agent's own. */
  readonly task?: string;
}

/** More than this is not asking. */
export const MAX_ASKED = 20;

const options = listOf(string);

export const formatAsked = ({ text, options: given, task }: AskedLine): string =>
  `${JSON.stringify({
    text: clean(text).trim().slice(0, INBOX_LIMITS.text),
    options: given
      .slice(0, INBOX_LIMITS.options)
      .map((option) => oneLine(option, INBOX_LIMITS.option)),
    ...(task === undefined ? {} : { task: oneLine(task, 100) }),
  })}\n`;

/** An agent may have written anything into its file: whatever is not a question is left out. */
export const parseAsked = (file: string): AskedLine[] =>
  parseLines(file).flatMap((raw) => {
    const { text, options: given, task } = raw;
    if (typeof text !== "string" || text.trim() === "") return [];
    return [
      {
        text,
        options: options.is(given) ? given : [],
        ...(typeof task === "string" && task !== "" ? { task } : {}),
      },
    ];
  });

export const formatAnswers = (decided: readonly Decided[]): string =>
  decided.map(({ question, answer }) => `${JSON.stringify({ question, answer })}\n`).join("");

export const parseAnswers = (file: string): Decided[] =>
  parseLines(file).flatMap(({ question, answer }) =>
    typeof question === "string" && typeof answer === "string" ? [{ question, answer }] : [],
  );

function parseLines(file: string): Readonly<Record<string, unknown>>[] {
  return file
    .split("\n")
    .slice(0, MAX_ASKED)
    .flatMap((line) => {
      // The last line may be in the middle of being written.
      const raw = parseJson(line);
      return isObject(raw) ? [raw] : [];
    });
}

import { field, isObject, listOf, objectOf, parseRaw, string } from "../text/schema.ts";

/** What `ask` writes into the file that the runner reads, one JSON object a line. */
export interface Asked {
  readonly text: string;
  readonly options: readonly string[];
}

const asked = objectOf({ text: field(string, ""), options: field(listOf(string), "") });

/** Lines that are not a question are left out: anybody can write to the file. */
export const parseAsked = (text: string): Asked[] =>
  text.split("\n").flatMap((line) => {
    const parsed = parseRaw(line);
    return parsed.kind === "ok" && isObject(parsed.raw) && asked.is(parsed.raw) ? [parsed.raw] : [];
  });

import { oneLine } from "../text/template.ts";
import { type Fields, textOf } from "./json.ts";

/** Arguments that say what a tool is used on, the most telling first. */
const OBJECTS = ["command", "file_path", "path", "url", "query", "pattern", "skill", "description"];

/** A tool call as a line for people: `Bash npm test`. */
export function titleOfTool(name: string, given: Fields): string {
  const object = OBJECTS.map((key) => textOf(given[key])).find((value) => value !== undefined);
  return oneLine([name, ...(object === undefined ? [] : [object])].join(" "), 160);
}

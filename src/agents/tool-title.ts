import { oneLine } from "../text/template.ts";
import { type Fields, textOf } from "./json.ts";

/** What a tool is used on, in the order in which it says most. */
const OBJECTS = ["command", "file_path", "path", "url", "query", "pattern", "skill", "description"];

/** What an agent does, as a line for people: `Bash npm test`. */
export function titleOfTool(name: string, given: Fields): string {
  const object = OBJECTS.map((key) => textOf(given[key])).find((value) => value !== undefined);
  return oneLine([name, ...(object === undefined ? [] : [object])].join(" "), 160);
}

import { isObject } from "../text/schema.ts";
import { oneLine } from "../text/template.ts";
import { type Fields, fieldsOf, listOf, textOf } from "./json.ts";
import type { AgentEvent } from "./port.ts";

/** What a line of an agent's output says: events of the run, and what only people read, in a transcript. */
export type Said = AgentEvent | Aside;

/** `more`: it continues the previous one. */
export interface Aside {
  readonly kind: "thought" | "result" | "error" | "other";
  readonly text: string;
  readonly more?: true;
}

export interface Step<State> {
  readonly state: State;
  readonly said: readonly Said[];
  /** The part of it that is for the run. */
  readonly events: readonly AgentEvent[];
}

export const step = <State>(state: State, said: readonly Said[] = []): Step<State> => ({
  state,
  said,
  events: said.filter((one): one is AgentEvent => !ASIDES.has(one.kind)),
});

const ASIDES: ReadonlySet<string> = new Set<Aside["kind"]>(["thought", "result", "error", "other"]);

/** What a tool returned: a string, or a list of parts with text. */
export const resultOf = (value: unknown, isError: boolean): Aside => ({
  kind: isError ? "error" : "result",
  text:
    textOf(value) ??
    listOf(value)
      .flatMap((part) => textOf(part["text"]) ?? [])
      .join("\n"),
});

/** Arguments that say what a tool is used on, the most telling first. */
const OBJECTS = [
  "command",
  "file_path",
  "path",
  "url",
  "query",
  "pattern",
  "skill",
  "description",
  "prompt",
];

/** A longer title, such as a script, is cut. */
export const MAX_TITLE = 400;

/** A tool call as a line for people: `Bash npm test`. */
function titleOfTool(name: string, given: unknown): string {
  const input = fieldsOf(given);
  const object = OBJECTS.map((key) => textOf(input[key])).find((value) => value !== undefined);
  const words = textOf(given) ?? object ?? JSON.stringify(input);
  return oneLine(words === "{}" ? name : `${name} ${words}`, MAX_TITLE);
}

/** Tools of Claude Code and Copilot that change the file that they name. */
const EDIT_TOOLS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "create"]);
const PATHS = ["file_path", "notebook_path", "path"];

/** A call of a tool, and the files that it names if it is one that edits. */
export const toolCall = (name: string, given: unknown): AgentEvent[] => [
  { kind: "tool", title: titleOfTool(name, given) },
  ...(EDIT_TOOLS.has(name) ? toldEdits(PATHS.map((key) => textOf(fieldsOf(given)[key]))) : []),
];

export function toldEdits(paths: readonly (string | undefined)[]): AgentEvent[] {
  const files = paths.filter((path): path is string => path !== undefined && path !== "");
  return files.length === 0 ? [] : [{ kind: "edited", files }];
}

const MAX_FACTS = 6;

/** Anything else: its type and its text, or else some of its fields; as it is, if it has none. */
export function other(value: Fields | undefined, line = ""): Aside {
  return { kind: "other", text: (value && describe(value)) || line };
}

function describe(value: Fields): string {
  const said = [value["message"], value["text"], value["content"], value["note"]].find(
    (one) => textOf(one) !== undefined && one !== "",
  );
  const name = [value["type"] ?? value["kind"] ?? value["method"], value["subtype"]]
    .filter((one) => textOf(one) !== undefined && one !== "")
    .join(" ");
  if (said !== undefined) return name === "" ? String(said) : `${name}: ${String(said)}`;
  const facts = Object.entries(value)
    .flatMap(([key, one]) => (isObject(one) ? Object.entries(one) : [[key, one] as const]))
    .filter(
      ([key, one]) =>
        !/^(?:type|kind|subtype|uuid|.*_?id|.*Id|timestamp)$/.test(key) &&
        ["string", "number", "boolean"].includes(typeof one),
    )
    .slice(0, MAX_FACTS);
  return `${name} ${facts.map(([key, one]) => `${key} ${String(one)}`).join(", ")}`.trim();
}

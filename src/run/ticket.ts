import { isObject, parseJson } from "../text/schema.ts";

/** What the user typed, as the client reported it: whoever holds it acts in the user's name, once. */
export interface Ticket {
  /** The command without its plugin: `start`. */
  readonly command: string;
  /** The words after it, as typed. */
  readonly args: string;
  /** The client's id for the prompt, if it has one. */
  readonly prompt?: string;
  /** Which event reported it: that of the command itself or, in older clients, that of any prompt. */
  readonly from: "expansion" | "prompt";
  readonly at: string;
}

/** `/ralph-specum:start add a limit`, as the user typed it; undefined for anything that is not ours. */
export function parseSlash(
  plugin: string,
  prompt: string,
): Pick<Ticket, "command" | "args"> | undefined {
  const head = `/${plugin}:`;
  const text = prompt.trimStart();
  if (!text.startsWith(head)) return undefined;
  const [command = ""] = /^[a-z-]*/.exec(text.slice(head.length)) ?? [];
  const rest = text.slice(head.length + command.length);
  return command === "" || /^\S/.test(rest) ? undefined : { command, args: rest.trim() };
}

export function parseTicket(text: string): Ticket | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { command, args, prompt, at } = value;
  const from = value["from"] === "expansion" ? "expansion" : "prompt";
  if (typeof command !== "string" || typeof args !== "string" || typeof at !== "string")
    return undefined;
  return { command, args, from, at, ...(typeof prompt === "string" ? { prompt } : {}) };
}

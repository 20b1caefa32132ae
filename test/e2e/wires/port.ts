import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { afterEscape, type ApiRequest, type Ask, type Turn } from "../ask.ts";
import type { Answer } from "../wire.ts";

/** A request for the model, before anybody has looked into it. */
export interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What there is to know about a request but how many came before it. */
export type Seen = Omit<Ask, "call">;

/** How a kind of service is asked and answers. */
export interface Wire {
  readonly serves: (path: string) => boolean;
  readonly read: (call: Call) => Seen;
  readonly send: (response: ServerResponse, answer: Answer, call: Call) => void;
  /** What a client does not try again: its script has failed, and the run is to end. */
  readonly refuse: (response: ServerResponse) => void;
  /** What the client's own small calls get: titles, summaries, who speaks next. */
  readonly aside: (call: Call) => Answer;
}

/** The parts of an answer, whichever way it was written. */
export const partsOf = (answer: Answer): Exclude<Answer, string> =>
  typeof answer === "string" ? { say: answer } : answer;

let ids = 0;
export const newId = (prefix: string): string => `${prefix}_${process.pid}_${++ids}`;

/** One event of a stream. */
export function sendEvent(response: ServerResponse, data: object | string, name?: string): void {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`);
}

export const beginStream = (response: ServerResponse): void =>
  void response.writeHead(200, { "content-type": "text/event-stream" });

interface Conversation {
  readonly turns: readonly Turn[];
  readonly tools: readonly string[];
  readonly sessionId: string;
  readonly body: unknown;
}

/** A conversation as a script looks at it: above all what is new since the model's last message. */
export function seeConversation({ turns, tools, sessionId, body }: Conversation): Seen {
  const newest = turns.slice(turns.findLastIndex(({ role }) => role === "agent") + 1);
  const textsOf = (some: readonly Turn[]): string => some.map(({ text }) => text).join("\n");
  const results = newest.filter(({ role }) => role === "tool");
  return {
    // A main agent always has tools; the client's own small calls never do.
    asker: tools.length > 0 ? "main" : "side",
    sessionId,
    agentId: undefined,
    text: afterEscape(textsOf(newest.filter(({ role }) => role === "user" || role === "added"))),
    news: afterEscape(textsOf(newest.filter(({ role }) => role !== "system"))),
    result: results.length === 0 ? undefined : textsOf(results),
    order: turns.find(({ role }) => role === "user")?.text ?? "",
    system: textsOf(turns.filter(({ role }) => role === "system")),
    tools,
    turns,
    request: body as ApiRequest,
  };
}

/** The text of content that is a string, a list of parts, or something else. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(plainText).join("\n");
  if (typeof content !== "object" || content === null) return "";
  const { text, content: inner, output } = content as Record<string, unknown>;
  return plainText(text ?? inner ?? output);
}

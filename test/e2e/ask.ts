import type { IncomingHttpHeaders } from "node:http";

/** The part of a Messages API request that scripts and assertions look at. */
export interface ApiRequest {
  readonly stream?: boolean;
  readonly model?: string;
  readonly system?: string | readonly Block[];
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
}

interface Message {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string | readonly Block[];
}

/** Who asks: the main agent, a sub-agent, or the client itself (titles, summaries, probes). */
export type Asker = "main" | "sub" | "side";

/** A message of a conversation, whichever service it is for. */
export interface Turn {
  /** `added`: what the client tells the model in between, say for a hook. */
  readonly role: "system" | "user" | "added" | "agent" | "tool";
  readonly text: string;
  /** The tools that the agent called. */
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** One request as a script sees it. */
export interface Ask {
  readonly asker: Asker;
  /** Which call of this asker it is, from 1. */
  readonly call: number;
  readonly sessionId: string;
  /** Which sub-agent asks; undefined for the main agent. */
  readonly agentId: string | undefined;
  /** What was said to the model since its last message, without the client's own reminders. */
  readonly text: string;
  /** Everything since its last message: user and system text, reminders, tool results. */
  readonly news: string;
  /** The output of the tools it called last, or undefined when this opens a turn. */
  readonly result: string | undefined;
  /** The first message to this agent: a sub-agent's instructions. */
  readonly order: string;
  readonly system: string;
  readonly tools: readonly string[];
  readonly turns: readonly Turn[];
  /** As it came; other services than Anthropic's have a form of their own. */
  readonly request: ApiRequest;
}

/** What a hook says to keep a turn going. */
const FEEDBACK = /^<system-reminder>\s*Stop hook additional context: /;

/** How the client introduces what a hook adds. */
const ADDED = /^(?:Stop|PostToolUse:Agent|UserPromptSubmit) hook additional context: /gm;

/** The client's note where the user pressed Escape: what comes before it was interrupted, not asked. */
const INTERRUPTED = "[Request interrupted by user]";

export function readAsk(request: ApiRequest, headers: IncomingHttpHeaders): Omit<Ask, "call"> {
  const messages = request.messages ?? [];
  const tools = (request.tools ?? []).map((tool) => tool.name);
  const agentId = header(headers, "x-claude-code-agent-id");
  // A main agent always has tools; the client's own small calls never do.
  const asker = agentId !== undefined ? "sub" : tools.length > 0 ? "main" : "side";
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  const newest = messages.slice(lastAnswer + 1);
  const results = newest.flatMap(blocks).filter((block) => block.type === "tool_result");
  return {
    asker,
    sessionId: header(headers, "x-claude-code-session-id") ?? "",
    agentId,
    text: afterEscape(spoken(newest)),
    news: afterEscape(newest.flatMap(blocks).map(textOf).join("\n")).replace(ADDED, ""),
    result: results.length === 0 ? undefined : results.map(textOf).join("\n"),
    order: spoken(messages.slice(0, 1)),
    system: blocks({ role: "system", content: request.system ?? "" })
      .map(textOf)
      .join("\n"),
    tools,
    turns: messages.flatMap(turnsOf),
    request,
  };
}

function turnsOf(message: Message): Turn[] {
  const parts = blocks(message);
  if (message.role === "assistant") {
    const calls = parts.flatMap(({ type, name = "", input }) =>
      type === "tool_use" ? [{ name, input }] : [],
    );
    return [{ role: "agent", text: parts.map(textOf).join("\n"), calls }];
  }
  const role = message.role === "system" ? "added" : "user";
  return parts.map((block) => ({
    role: block.type === "tool_result" ? "tool" : role,
    text: textOf(block),
  }));
}

export const afterEscape = (text: string): string => text.split(INTERRUPTED).at(-1) as string;

const blocks = ({ content }: Message): readonly Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

function textOf(block: Block): string {
  if (block.text !== undefined) return block.text;
  if (typeof block.content === "string") return block.content;
  return (block.content ?? []).map(textOf).join("\n");
}

const spoken = (messages: readonly Message[]): string =>
  messages
    .filter((message) => message.role === "user")
    .flatMap(blocks)
    .filter(
      ({ type, text = "" }) =>
        type === "text" && (!text.startsWith("<system-reminder>") || FEEDBACK.test(text)),
    )
    .map(textOf)
    .join("\n");

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

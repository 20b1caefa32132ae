import type { Turn } from "../ask.ts";
import { sendJson } from "../wire.ts";
import {
  beginStream,
  type Call,
  newId,
  partsOf,
  plainText,
  seeConversation,
  sendEvent,
  type Wire,
} from "./port.ts";

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly name?: string;
  readonly arguments?: string;
}

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly instructions?: string;
  readonly input?: string | readonly Item[];
  readonly tools?: readonly { readonly name?: string; readonly type: string }[];
  readonly prompt_cache_key?: string;
}

const requestOf = ({ body }: Call): Request => body as Request;

function turnOf(item: Item, isFirst: boolean): Turn {
  if (item.type?.endsWith("_output") === true)
    return { role: "tool", text: plainText(item.output) };
  if (item.type !== undefined && item.type !== "message")
    return {
      role: "agent",
      text: "",
      calls: [{ name: item.name ?? item.type, input: item.arguments }],
    };
  const text = unwrap(plainText(item.content));
  if (item.role === "assistant") return { role: "agent", text };
  if (item.role === "user") return { role: "user", text };
  return { role: isFirst ? "system" : "added", text };
}

/** Some tools are in a namespace: `multi_agent_v1.spawn_agent`. */
function spaceOf(tool: string): { readonly name: string; readonly namespace?: string } {
  const [namespace = "", name] = tool.split(".", 2);
  return name === undefined ? { name: tool } : { namespace, name };
}

/** Codex notes where the user pressed Escape: what comes before it was interrupted, not asked. */
function afterEscape(items: readonly Item[]): readonly Item[] {
  const last = items.findLastIndex(({ content }) =>
    plainText(content).startsWith("<turn_aborted>"),
  );
  return items.slice(last + 1);
}

/** Codex puts what a hook says into a tag, and escapes it. */
const unwrap = (text: string): string =>
  text.replace(/^<hook_prompt [^>]*>([\s\S]*)<\/hook_prompt>$/, (_, said: string) =>
    said.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );

function turnsOf({ instructions = "", input = [] }: Request): Turn[] {
  const items = afterEscape(typeof input === "string" ? [{ role: "user", content: input }] : input);
  // What the client tells the model before the user's first words is no news.
  const opening = items.findIndex(({ role }) => role !== "developer" && role !== "system");
  return [
    { role: "system", text: instructions },
    ...items.map((item, index) => turnOf(item, index < opening)),
  ];
}

/** OpenAI's Responses: Codex. */
export const responses: Wire = {
  serves: (path) => path.endsWith("/responses"),
  read(call) {
    const request = requestOf(call);
    return seeConversation({
      turns: turnsOf(request),
      tools: (request.tools ?? []).map(({ name, type }) => name ?? type),
      sessionId: request.prompt_cache_key ?? "",
      body: request,
    });
  },
  aside: () => "Scripted",
  refuse: (response) =>
    sendJson(response, 400, { error: { message: "the script failed", type: "invalid_request" } }),
  send(response, answer, call) {
    const { say = "", call: calls = [], status } = partsOf(answer);
    if (status !== undefined)
      return sendJson(response, status, { error: { message: "scripted", type: "server_error" } });
    const output = [
      ...(say === ""
        ? []
        : [
            {
              type: "message",
              id: newId("msg"),
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: say, annotations: [] }],
            },
          ]),
      ...calls.map(({ name, input }) => ({
        type: "function_call",
        id: newId("fc"),
        call_id: newId("call"),
        ...spaceOf(name),
        arguments: JSON.stringify(input),
        status: "completed",
      })),
    ];
    const { model, stream } = requestOf(call);
    const begun = {
      id: newId("resp"),
      object: "response",
      status: "in_progress",
      model,
      output: [],
    };
    const ended = { ...begun, status: "completed", output, usage: USAGE };
    if (stream !== true) return sendJson(response, 200, ended);
    beginStream(response);
    const send = (type: string, data: object): void => sendEvent(response, { type, ...data }, type);
    send("response.created", { response: begun });
    for (const [output_index, item] of output.entries()) {
      send("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress" },
      });
      if ("content" in item)
        send("response.output_text.delta", {
          output_index,
          content_index: 0,
          item_id: item.id,
          delta: say,
        });
      send("response.output_item.done", { output_index, item });
    }
    send("response.completed", { response: ended });
    response.end();
  },
};

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

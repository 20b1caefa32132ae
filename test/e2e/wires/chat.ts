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

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

interface Request {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

const requestOf = ({ body }: Call): Request => body as Request;

function turnsOf(messages: readonly Message[]): Turn[] {
  const opening = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  return messages.map(({ role, content, tool_calls = [] }, index) => {
    const text = plainText(content);
    switch (role) {
      case "assistant":
        return {
          role: "agent",
          text,
          calls: tool_calls.map(({ function: { name, arguments: input } }) => ({ name, input })),
        };
      case "user":
      case "tool":
        return { role, text };
      default:
        return { role: index < opening ? "system" : "added", text };
    }
  });
}

/** chat/completions: Qwen Code, OpenCode, Copilot. */
export const chat: Wire = {
  serves: (path) => path.endsWith("/chat/completions"),
  read(call) {
    const request = requestOf(call);
    return seeConversation({
      turns: turnsOf(request.messages ?? []),
      tools: (request.tools ?? []).flatMap((tool) => tool.function?.name ?? []),
      sessionId: "",
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
    const { model, stream } = requestOf(call);
    const tool_calls = calls.map(({ name, input }, index) => ({
      index,
      id: newId("call"),
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    const whole = { id: newId("chat"), created: 1, model };
    if (stream !== true) {
      const called = calls.length > 0 ? { tool_calls } : {};
      const message = { role: "assistant", content: say, ...called };
      const choices = [{ index: 0, message, finish_reason }];
      return sendJson(response, 200, {
        ...whole,
        object: "chat.completion",
        choices,
        usage: USAGE,
      });
    }
    beginStream(response);
    const send = (choices: readonly object[], more: object = {}): void =>
      sendEvent(response, { ...whole, object: "chat.completion.chunk", choices, ...more });
    const choose = (delta: object, reason: string | null = null): void =>
      send([{ index: 0, delta, finish_reason: reason }]);
    choose({ role: "assistant", content: say });
    if (calls.length > 0) choose({ tool_calls });
    choose({}, finish_reason);
    send([], { usage: USAGE });
    sendEvent(response, "[DONE]");
    response.end();
  },
};

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

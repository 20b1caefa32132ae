import type { ServerResponse } from "node:http";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** What a script answers: words, tool calls, or a refusal by the service. */
export type Answer =
  | string
  | {
      readonly say?: string;
      readonly call?: readonly ToolCall[];
      /** An HTTP error instead of an answer, e.g. 529. */
      readonly status?: number;
      /** Sent as it is, whichever service it is: how a service says no, in its own words. */
      readonly raw?: Raw;
      /** Why the model stopped, if not for the usual reasons; only the Messages API has it. */
      readonly stop?: string;
      readonly delayMs?: number;
    };

export interface Raw {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** One Bash call, the commonest thing a scripted model does. */
export const bash = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "scripted" },
});

let ids = 0;

/** Sends an answer in the shape of the Messages API, as a stream of events or as one JSON message. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  request: { readonly stream?: boolean; readonly model?: string },
): void {
  const {
    say,
    call = [],
    status,
    stop,
  } = typeof answer === "string" ? ({ say: answer } as Exclude<Answer, string>) : answer;
  if (status !== undefined) {
    return sendError(response, status, "scripted");
  }
  const content = [
    ...(say === undefined || say === "" ? [] : [{ type: "text", text: say }]),
    ...call.map((tool) => ({ type: "tool_use", id: `toolu_${process.pid}_${++ids}`, ...tool })),
  ];
  const stop_reason = stop ?? (call.length > 0 ? "tool_use" : "end_turn");
  const message = {
    id: `msg_${process.pid}_${++ids}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  if (request.stream !== true) {
    return sendJson(response, 200, { ...message, content, stop_reason });
  }
  response.setHeader("content-type", "text/event-stream");
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send("message_start", { message });
  for (const [index, block] of content.entries()) {
    const [content_block, delta] =
      "text" in block
        ? [
            { ...block, text: "" },
            { type: "text_delta", text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ];
    send("content_block_start", { index, content_block });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  send("message_stop", {});
  response.end();
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, status: number, message: string): void {
  const type = status === 529 ? "overloaded_error" : "api_error";
  sendJson(response, status, { type: "error", error: { type, message } });
}

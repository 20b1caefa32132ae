import type { Turn } from "../ask.ts";
import { sendJson } from "../wire.ts";
import { beginStream, type Call, partsOf, seeConversation, sendEvent, type Wire } from "./port.ts";

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string; readonly args?: unknown };
  readonly functionResponse?: { readonly name: string; readonly response?: unknown };
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

interface Request {
  readonly contents?: readonly Content[];
  readonly systemInstruction?: Content;
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly { readonly name: string }[];
  }[];
  readonly generationConfig?: {
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: unknown;
  };
}

const requestOf = ({ body }: Call): Request => body as Request;

const textIn = ({ parts = [] }: Content): string =>
  parts.flatMap(({ text }) => text ?? []).join("\n");

function turnsOf(content: Content): Turn[] {
  const { role, parts = [] } = content;
  if (role === "model")
    return [
      {
        role: "agent",
        text: textIn(content),
        calls: parts.flatMap(({ functionCall }) =>
          functionCall === undefined ? [] : [{ name: functionCall.name, input: functionCall.args }],
        ),
      },
    ];
  const results = parts.flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [outputOf(functionResponse.response)],
  );
  const texts = parts.flatMap(({ text }) => text ?? []);
  // A prompt that was never answered, because the client was killed, is in the same message as the next one.
  const last = texts.findLastIndex((text) => !text.startsWith("<hook_context>"));
  const [before, text] = [texts.slice(0, last), texts.slice(last)].map((some) => some.join("\n"));
  return [
    ...results.map((result): Turn => ({ role: "tool", text: result })),
    ...(before ? [{ role: "system", text: before } satisfies Turn] : []),
    ...(text ? [{ role: "user", text } satisfies Turn] : []),
  ];
}

function outputOf(response: unknown): string {
  const { output } = (response ?? {}) as { output?: unknown };
  return typeof output === "string" ? output : JSON.stringify(response);
}

/** Gemini's `generateContent`, as a stream or whole. */
export const gemini: Wire = {
  serves: (path) => /:(?:stream)?generateContent/i.test(path),
  read(call) {
    const request = requestOf(call);
    const tools = (request.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    );
    return seeConversation({
      turns: [
        { role: "system", text: textIn(request.systemInstruction ?? {}) },
        ...(request.contents ?? []).flatMap(turnsOf),
      ],
      tools,
      sessionId: "",
      body: request,
    });
  },
  // Which model to take, who speaks next, whether the agent runs in circles: whoever wants JSON gets all that any of them looks for.
  aside: (call) =>
    requestOf(call).generationConfig?.responseMimeType === "application/json"
      ? JSON.stringify({
          reasoning: "scripted",
          model_choice: "flash",
          complexity_reasoning: "scripted",
          complexity_score: 10,
          next_speaker: "user",
          unproductive_state_analysis: "scripted",
          unproductive_state_confidence: 0,
        })
      : "Scripted",
  refuse: (response) =>
    sendJson(response, 400, {
      error: { code: 400, message: "the script failed", status: "INVALID_ARGUMENT" },
    }),
  send(response, answer, { path }) {
    const { say = "", call: calls = [], status } = partsOf(answer);
    if (status !== undefined)
      return sendJson(response, status, { error: { code: status, message: "scripted" } });
    const parts = [
      ...(say === "" ? [] : [{ text: say }]),
      ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
    ];
    const content = { role: "model", parts };
    const whole = {
      candidates: [{ content, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: "scripted",
    };
    if (!/stream/i.test(path)) return sendJson(response, 200, whole);
    beginStream(response);
    sendEvent(response, whole);
    response.end();
  },
};

import { bridge, type Ports } from "../../src/hosts/opencode/plugin/bridge.ts";
import type { Client, Message, Part } from "../../src/hosts/opencode/plugin/client.ts";
import type { WireAnswer, WireEvent } from "../../src/hosts/opencode/wire.ts";

/** A client with one conversation: sessions whose name ends with a dot and a number are sub-agents. */
export function stage(answers: Record<string, WireAnswer> = {}, ports: Partial<Ports> = {}) {
  const asked: [string, WireEvent][] = [];
  const sent: { how: string; body?: unknown }[] = [];
  const ended: (string | undefined)[] = [];
  const messages: Message[] = [];
  const note = (how: string) => async (ask: object) =>
    void sent.push({ how, ...("body" in ask ? { body: ask.body } : {}) });
  const client: Client = {
    session: {
      get: async ({ path: { id } }) =>
        id.includes(".") ? { data: { parentID: id.replace(/\.\d+$/, "") } } : { data: {} },
      messages: async () => ({ data: messages.slice(-2) }),
      async prompt({ body }) {
        await note("prompt")({ body });
        const parts = body.parts.map((part, i) => ({ ...part, id: `part-${i}` }));
        const message = {
          info: { id: `held-${messages.length}`, sessionID: "s", role: "user" as const },
          parts,
        };
        messages.push(message);
        return { data: message };
      },
      promptAsync: note("promptAsync"),
      abort: note("abort"),
    },
    tui: { showToast: note("toast") },
    _client: { patch: note("patch") },
  };
  const handlers = bridge({
    client,
    cwd: "/project",
    hook: {
      async ask(event, input) {
        asked.push([event, input]);
        return answers[event] ?? {};
      },
      end: (session) => void ended.push(session),
    },
    mayHaveRun: () => true,
    prefix: "ralph-specum:",
    endsWithTurn: false,
    print: (line) => void sent.push({ how: "print", body: line }),
    ...ports,
  });
  return {
    ...handlers,
    asked,
    sent,
    ended,
    messages,
    says(id: string, text: string, finish = "stop", error?: { name: string }) {
      const info = {
        id,
        sessionID: "s",
        role: "assistant" as const,
        finish,
        ...(error && { error }),
      };
      messages.push({ info, parts: [{ type: "text", text }] });
    },
    idle: (sessionID = "s") =>
      handlers.event({ event: { type: "session.idle", properties: { sessionID } } }),
    async types(text: string, sessionID = "s") {
      const parts: Part[] = [{ id: "p1", type: "text", text }];
      const message = { id: "m", agent: "build", model: { providerID: "x", modelID: "y" } };
      await handlers["chat.message"]({ sessionID }, { message, parts });
      return parts;
    },
  };
}

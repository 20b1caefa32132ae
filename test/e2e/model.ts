import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ask, Asker } from "./ask.ts";
import { type Answer, bash, sendJson } from "./wire.ts";
import { wireOf } from "./wires/all.ts";
import type { Call, Seen, Wire } from "./wires/port.ts";

/** Plays the model: sees the conversation, answers words or tool calls. */
export type Script = (ask: Ask) => Answer | Promise<Answer>;

export interface Limits {
  /** Calls of the main agent that the scenario allows; one more is an error and ends the run. */
  readonly main: number;
  /** Calls of all sub-agents together; none by default. */
  readonly sub?: number;
}

/** A scripted model on loopback: the only service that a client under test can reach. */
export interface Model {
  readonly url: string;
  readonly asks: readonly Ask[];
  /** Calls so far. The client's own small calls are answered and counted apart, as `side`. */
  readonly calls: Readonly<Record<Asker, number>>;
  /** Scripts that threw and limits that were passed; a test that leaves any has failed. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/**
 * Older clients tell their hooks what the user typed only after the command file has run. The agent is then asked to run
 * its line once more; any model does so. For the script it is as if the prompt had said it all at once.
 */
function lateCommands() {
  const waiting = new Map<string, string>();
  return {
    lineIn({ asker, sessionId, text, result }: Ask): string | undefined {
      const [, line] = /Run this once, exactly as written.*\n\n(.+)/.exec(text) ?? [];
      if (asker !== "main" || result !== undefined || line === undefined) return undefined;
      waiting.set(sessionId, text.replace(line, ""));
      return line;
    },
    hear(ask: Ask): Ask {
      const before = ask.asker === "main" ? waiting.get(ask.sessionId) : undefined;
      if (before === undefined) return ask;
      waiting.delete(ask.sessionId);
      return { ...ask, text: `${before}\n${ask.result ?? ""}`, result: undefined };
    },
  };
}

export async function startModel(
  script: Script,
  limits: Limits,
  isSide: (seen: Seen) => boolean = () => false,
): Promise<Model> {
  const asks: Ask[] = [];
  const faults: string[] = [];
  const calls: Record<Asker, number> = { main: 0, sub: 0, side: 0 };
  const allowed: Record<Asker, number> = {
    main: limits.main,
    sub: limits.sub ?? 0,
    side: Infinity,
  };

  const late = lateCommands();

  async function answer(wire: Wire, call: Call): Promise<Answer> {
    const seen = wire.read(call);
    const asker = isSide(seen) ? "side" : seen.asker;
    calls[asker] += 1;
    const ask = late.hear({ ...seen, asker, call: calls[asker] });
    const line = late.lineIn(ask);
    if (line !== undefined) {
      calls.main--;
      return { call: [bash(line)] };
    }
    asks.push(ask);
    if (asker === "side") return wire.aside(call);
    if (ask.call > allowed[ask.asker]) {
      throw new Error(`more than ${allowed[ask.asker]} calls of the ${ask.asker} agent`);
    }
    return script(ask);
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(incoming);
    const { url = "", headers } = incoming;
    if (/count_?tokens/i.test(url))
      return sendJson(response, 200, { input_tokens: 10, totalTokens: 10 });
    if (/\/models(?:\?|$)/.test(url)) return sendJson(response, 200, MODELS);
    const path = url.replace(/\?.*/, "");
    const wire = wireOf(path);
    // Some versions probe the address before they use it.
    if (wire === undefined) return void response.writeHead(200).end();
    try {
      const call = { path, headers, body: JSON.parse(text) };
      const reply = await answer(wire, call);
      if (typeof reply !== "string" && reply.delayMs !== undefined) await sleep(reply.delayMs);
      const raw = typeof reply === "string" ? undefined : reply.raw;
      if (raw === undefined) wire.send(response, reply, call);
      else sendJson(response, raw.status, raw.body, raw.headers);
    } catch (error) {
      // So that a runaway ends here.
      if (!response.headersSent) wire.refuse(response);
      throw error;
    }
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      faults.push(error instanceof Error ? error.message : String(error));
      if (!response.writableEnded) response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asks,
    calls,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A killed client leaves its connections open.
        server.closeAllConnections();
      }),
  };
}

const MODELS = { object: "list", data: [{ id: "scripted", object: "model" }], models: [] };

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

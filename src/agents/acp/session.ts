import { setTimeout as delay } from "node:timers/promises";
import {
  type ClientContext,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import { isObject } from "../../text/schema.ts";
import { type Fields, fieldsOf } from "../json.ts";
import type { Work } from "../port.ts";
import type { Failure } from "./errors.ts";
import type { Quirks } from "./quirks.ts";

/** How a conversation ended. */
export type Finish =
  | { readonly kind: "answered"; readonly response: Fields }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The connection closed before there was an answer. */
  | { readonly kind: "gone" };

/** Some set themselves up at their first start, and download things for it. */
const HANDSHAKE_MS = 120_000;

/** Says hello. Nobody is asked to read or write files for the agent, or to keep a terminal: it does that itself. */
export const initialize = (agent: ClientContext, ms = HANDSHAKE_MS): Promise<InitializeResponse> =>
  within(
    ms,
    "initialize",
    agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "smart-ralph", version: "1" },
      clientCapabilities: {},
    }),
  );

/** One task in a new session: the whole conversation. Never rejects. */
export async function converse(
  agent: ClientContext,
  work: Work,
  quirks: Quirks,
  on: { session(id: string): void; turn(): void },
): Promise<Finish> {
  try {
    const hello = await initialize(agent);
    if (hello.protocolVersion !== PROTOCOL_VERSION)
      throw new Error(
        `it speaks version ${hello.protocolVersion} of the protocol; we speak ${PROTOCOL_VERSION}`,
      );
    const session = await newSession(agent, hello, work, quirks);
    const { sessionId } = session;
    on.session(sessionId);
    await askNothing(agent, session, quirks);
    if (work.model !== undefined && quirks.modelArgs === undefined)
      await chooseModel(agent, session, work.model);
    on.turn();
    return await takeTurn(agent, sessionId, promptOf(work, quirks));
  } catch (error) {
    return finishOf(error);
  }
}

function newSession(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  { cwd, writable, instructions }: Work,
  { hearsSystemPrompt }: Quirks,
): Promise<NewSessionResponse> {
  const takesFolders = isObject(agentCapabilities?.sessionCapabilities?.additionalDirectories);
  const content = [{ type: "text", text: instructions }];
  return within(
    HANDSHAKE_MS,
    "session/new",
    agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: [],
      ...(takesFolders ? { additionalDirectories: [...writable] } : {}),
      ...(hearsSystemPrompt === true ? { systemPrompt: { mode: "append", content } } : {}),
    }),
  );
}

/** If it cannot be had, the agent asks, and is told yes. */
async function askNothing(
  agent: ClientContext,
  { sessionId, modes }: NewSessionResponse,
  { mode }: Quirks,
): Promise<void> {
  if (mode === undefined || !modes?.availableModes.some(({ id }) => id === mode)) return;
  const asked = agent.request(methods.agent.session.setMode, { sessionId, modeId: mode });
  await within(HANDSHAKE_MS, "session/set_mode", asked).catch((error: unknown) => {
    if (finishOf(error).kind === "gone") throw error;
  });
}

/** By the session's own options; older agents have a list of models and a method apart from the protocol. */
async function chooseModel(
  agent: ClientContext,
  session: NewSessionResponse,
  model: string,
): Promise<void> {
  const { sessionId } = session;
  const option = session.configOptions?.find(({ category, id }) => (category ?? id) === "model");
  const { models } = fieldsOf(session);
  const listed = Array.isArray(fieldsOf(models)["availableModels"]);
  const asked =
    option === undefined
      ? listed
        ? agent.request("session/set_model", { sessionId, modelId: model })
        : undefined
      : agent.request(methods.agent.session.setConfigOption, {
          sessionId,
          configId: option.id,
          value: model,
        });
  if (asked === undefined)
    throw new Error("it lets nobody choose its model: choose it in the agent's own settings");
  await within(HANDSHAKE_MS, "the choice of a model", asked).catch((error: unknown) => {
    const finish = finishOf(error);
    if (finish.kind !== "failed") throw error;
    throw new Error(`it does not take the model ${model}: ${finish.failure.message}`);
  });
}

const promptOf = ({ instructions, prompt }: Work, { hearsSystemPrompt }: Quirks): string =>
  hearsSystemPrompt === true || instructions === ""
    ? prompt
    : `${instructions}\n\n---\n\n${prompt}`;

/** The answer to the prompt ends the turn. In the next version of the protocol an update does: it belongs here. */
async function takeTurn(agent: ClientContext, sessionId: string, text: string): Promise<Finish> {
  const prompt = [{ type: "text" as const, text }];
  const response: unknown = await agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt,
  });
  return { kind: "answered", response: fieldsOf(response) };
}

/** Whatever comes of it, the agent is ended if this is not heard. */
export const cancelTurn = (agent: ClientContext, sessionId: string): void =>
  void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);

/** An error of the agent's has a code, ours have none; what the library says when nobody is there has not, either. */
export function finishOf(error: unknown): Finish {
  if (!(error instanceof Error)) return { kind: "failed", failure: { message: String(error) } };
  if (error.message === "ACP connection closed") return { kind: "gone" };
  const { code, data } = error as { code?: unknown; data?: unknown };
  const coded = typeof code === "number" ? { code } : {};
  return { kind: "failed", failure: { ...coded, message: error.message, data } };
}

async function within<T>(ms: number, what: string, answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`it did not answer ${what} within ${Math.round(ms / 1000)} seconds`);
  });
  // The loser of the race must not be an error that nobody catches.
  late.catch(() => undefined);
  try {
    return (await Promise.race([answer, late])) as T;
  } finally {
    timer.abort();
  }
}

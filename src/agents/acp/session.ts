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

/** Some agents download what they need at their first start. */
const HANDSHAKE_MS = 120_000;

/** Says hello. We offer neither files nor terminals: the agent uses its own. */
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

/** The whole conversation about one task, in a new session. Never rejects. */
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
    await allowTools(agent, session, quirks);
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

/** If the mode is not available, the agent asks and we say yes. */
async function allowTools(
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

/** Through the session's options; older agents have a list of models and a method outside the protocol. */
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
    throw new Error("it does not let clients choose a model: set it in the agent's own settings");
  await within(HANDSHAKE_MS, "the choice of a model", asked).catch((error: unknown) => {
    const finish = finishOf(error);
    if (finish.kind !== "failed") throw error;
    throw new Error(`it does not accept the model ${model}: ${finish.failure.message}`);
  });
}

const promptOf = ({ instructions, prompt }: Work, { hearsSystemPrompt }: Quirks): string =>
  hearsSystemPrompt === true || instructions === ""
    ? prompt
    : `${instructions}\n\n---\n\n${prompt}`;

/** The answer to the prompt ends the turn. In the next protocol version an update will: handle it here. */
async function takeTurn(agent: ClientContext, sessionId: string, text: string): Promise<Finish> {
  const prompt = [{ type: "text" as const, text }];
  const response: unknown = await agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt,
  });
  return { kind: "answered", response: fieldsOf(response) };
}

/** Errors do not matter: an agent that ignores this is ended. */
export const cancelTurn = (agent: ClientContext, sessionId: string): void =>
  void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);

/** The agent's errors have a code. Ours do not, nor does the library's error for a closed connection. */
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
  // If it loses the race, it must not become an unhandled rejection.
  late.catch(() => undefined);
  try {
    return (await Promise.race([answer, late])) as T;
  } finally {
    timer.abort();
  }
}

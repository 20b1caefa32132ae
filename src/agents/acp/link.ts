import { type AnyMessage, client, type ClientContext, methods } from "@agentclientprotocol/sdk";
import { type Fields, fieldsOf, listOf, parseFields, textOf } from "../json.ts";

/** Our end of a conversation with an agent. */
export interface Link {
  readonly agent: ClientContext;
  /** Handles a message from the agent. */
  receive(message: Fields): void;
  /** The agent is gone: pending requests fail. */
  close(): void;
}

/** The message in a line that an agent printed. Some agents print other things too. */
export function readMessage(line: string): Fields | undefined {
  const message = parseFields(line);
  return message?.["jsonrpc"] === "2.0" ? message : undefined;
}

/**
 * The library matches answers to our requests, and answers the agent's. It prints warnings about anything unexpected to
 * standard error, in the middle of the screen, so it only gets messages that it expects. `updates.ts` reads updates as
 * they come: the library would drop unknown ones, and deliver them out of order with answers.
 */
export function openLink(write: (text: string) => void): Link {
  const asked = new Set<unknown>();
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({ start: (to) => void (incoming = to) });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ("method" in message && "id" in message) asked.add(message.id);
      write(`${JSON.stringify(message)}\n`);
    },
  });
  const connection = client({ name: "smart-ralph" })
    .onRequest(
      methods.client.session.requestPermission,
      (params: unknown) => params,
      ({ params }) => answerPermission(params),
    )
    .connect({ readable, writable });
  return {
    agent: connection.agent,
    receive(message) {
      const isRequest = typeof message["method"] === "string" && "id" in message;
      const isAnswer = !("method" in message) && asked.delete(message["id"]);
      if (isRequest || isAnswer) incoming?.enqueue(message as unknown as AnyMessage);
    },
    close: () => connection.close(),
  };
}

type Answer =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

/**
 * Always yes: nobody is there to ask, and the user started the run so that the agent works. Options are chosen by kind,
 * not by order. "Once" comes before "always", which some agents write into the user's settings.
 */
function answerPermission(params: unknown): { outcome: Answer } {
  const options = listOf(fieldsOf(params)["options"]);
  const optionId = ["allow_once", "allow_always", "reject_once", "reject_always"]
    .map((kind) => textOf(options.find((option) => option["kind"] === kind)?.["optionId"]))
    .find((id) => id !== undefined);
  return {
    outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  };
}

import { type Fields, parseFields } from "../../agents/json.ts";
import { startProgram } from "../../exec/start.ts";
import { isObject } from "../../text/schema.ts";
import type { Environment } from "../host.ts";

/** A question of the client's app server, with its answer. */
export interface Question {
  readonly method: string;
  readonly params: object;
}

const TIMEOUT_MS = 10_000;
/** More than it ever says about a few hooks. */
const MAX_CHARACTERS = 8 << 20;

/**
 * Asks the client itself, which needs neither an account nor the network for it: only the client can tell whether it
 * trusts our hooks. Undefined for what it does not answer.
 */
export async function askClient(
  root: string,
  env: Environment,
  questions: readonly Question[],
): Promise<readonly (Fields | undefined)[]> {
  const answers = new Map<number, Fields | undefined>();
  let heard = 0;
  const client = startProgram({
    command: "codex app-server",
    cwd: root,
    // Otherwise the Windows shell would try a file of the project first.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
    input: { open: true },
    limitMs: TIMEOUT_MS,
    onLine(line) {
      const { id, result } = parseFields(line) ?? {};
      if (typeof id === "number") answers.set(id, isObject(result) ? result : undefined);
      heard += line.length;
      if (answers.size > questions.length || heard > MAX_CHARACTERS) client.signal("SIGTERM");
    },
  });
  client.write(messages(questions));
  await client.ended;
  return questions.map((_, index) => answers.get(index));
}

/** It answers only as long as its input is open. */
const messages = (questions: readonly Question[]): string =>
  [
    {
      id: questions.length,
      method: "initialize",
      params: { clientInfo: { name: "smart-ralph", version: "1" } },
    },
    { method: "initialized" },
    ...questions.map(({ method, params }, id) => ({ id, method, params })),
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");

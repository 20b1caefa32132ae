import { spawn } from "node:child_process";
import { isObject } from "../../text/schema.ts";
import type { Environment } from "../host.ts";

type Fields = Readonly<Record<string, unknown>>;

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
export function askClient(
  root: string,
  env: Environment,
  questions: readonly Question[],
): Promise<readonly (Fields | undefined)[]> {
  const answers = new Map<number, Fields | undefined>();
  return new Promise((resolve) => {
    const child = spawn("codex", ["app-server"], {
      cwd: root,
      // Otherwise the Windows shell would try a file of the project first.
      env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
      shell: process.platform === "win32",
      stdio: ["pipe", "pipe", "ignore"],
    });
    const end = (): void => {
      clearTimeout(timer);
      child.kill();
      resolve(questions.map((_, index) => answers.get(index)));
    };
    const timer = setTimeout(end, TIMEOUT_MS);
    let heard = "";
    let begun = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      const lines = heard.slice(begun).split("\n");
      begun = heard.length - (lines.pop() ?? "").length;
      for (const { id, result } of lines.flatMap(parseLine))
        if (typeof id === "number") answers.set(id, isObject(result) ? result : undefined);
      if (answers.size > questions.length || heard.length > MAX_CHARACTERS) end();
    });
    child.on("error", end);
    child.on("close", end);
    // It may end before it was asked.
    child.stdin.on("error", () => undefined);
    child.stdin.write(messages(questions));
  });
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

function parseLine(line: string): Fields[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

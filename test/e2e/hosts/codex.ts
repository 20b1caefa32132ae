import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findAt } from "../../support/download.ts";
import { repoRoot } from "../install.ts";
import type { Adapter, Seat } from "./adapter.ts";
import { baseEnv, headlessSession } from "./session.ts";

/** Any text will do: it goes to the scripted model. */
export const KEY = "MADE_UP_KEY";

/** Not in the home's settings, because two sessions in one home may have different models. */
const modelAt = (url: string): string[] =>
  [
    'model="scripted"',
    'model_provider="scripted"',
    `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="${KEY}",request_max_retries=0,stream_max_retries=0}`,
  ].flatMap((setting) => ["-c", setting]);

/** Its sandbox needs user namespaces, which a container may lack; and nobody is there to say that hooks are trusted. */
export const UNASKED = [
  "--dangerously-bypass-approvals-and-sandbox",
  "--dangerously-bypass-hook-trust",
];

async function run(seat: Seat, ...args: readonly string[]): Promise<void> {
  const options = { cwd: seat.place.root, env: baseEnv(seat) };
  await promisify(execFile)(seat.node, [seat.client, ...args], options);
}

interface Wish {
  /** The session that goes on. */
  readonly session?: string;
  readonly flags?: readonly string[];
}

/** The arguments with which it answers a prompt. */
export const execWith = (
  url: string,
  prompt: string,
  { session, flags = UNASKED }: Wish = {},
): string[] => [
  "exec",
  ...(session === undefined ? [] : ["resume"]),
  "--json",
  ...flags,
  ...modelAt(url),
  ...(session === undefined ? [] : [session]),
  prompt,
];

export const codex: Adapter = {
  id: "codex",
  name: "Codex",
  package: "@openai/codex",
  version: "0.166.0",
  find: findAt("@openai", "codex", "bin", "codex.js"),
  worker: "self",
  reports: "message",
  type: ({ plugin }, command) => `$${plugin}:${command}`,
  program: ({ plugin }) => `"$HOME"/.codex/plugins/cache/smart-ralph/${plugin}/*/bin/${plugin}`,
  shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
  sessionVariable: "CODEX_SESSION_ID",
  async install(seat) {
    await run(seat, "plugin", "marketplace", "add", repoRoot);
    await run(seat, "plugin", "add", `${seat.place.layout.plugin}@smart-ralph`);
  },
  open: async (table) =>
    headlessSession(table, {
      by: table.node,
      env: { [KEY]: "not-a-key" },
      args: (prompt, session) =>
        execWith(table.url, prompt, session === undefined ? {} : { session }),
      sessionIn: (output) => /"thread_id":"([^"]+)"/.exec(output)?.[1],
    }),
  differences: {},
};

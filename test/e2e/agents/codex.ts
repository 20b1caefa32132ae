import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codex as agent } from "../../../src/agents/codex/codex.ts";
import { codex as client, KEY } from "../hosts/codex.ts";
import type { Answer } from "../wire.ts";
import type { AgentAdapter } from "./adapter.ts";
import { linkProgram } from "./program.ts";

const refuse = (status: number, error: object, headers: Record<string, string> = {}): Answer => ({
  raw: { status, headers, body: { error } },
});

/** Few retries: how often it retries is not our concern. */
const configFor = (url: string): string => `
model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "${KEY}"
request_max_retries = 0
stream_max_retries = 1
`;

/** Uses its own sandbox, which does not start on every machine. */
export const sandboxedCodex: AgentAdapter = {
  agent,
  async prepare({ home, bin, url }) {
    await linkProgram(client, "codex", bin);
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex", "config.toml"), configFor(url));
    return { [KEY]: "not-a-key" };
  },
  shell: client.shell,
  // It recognises its own tool in a command.
  edit: (file, text) =>
    client.shell(
      `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+${text.trimEnd()}\n*** End Patch\nEOF`,
    ),
  troubles: {
    limit: (resetsAt) => ({
      answer: refuse(429, {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: resetsAt,
      }),
    }),
    busy: () => ({ answer: refuse(429, { code: "rate_limit_exceeded" }, { "retry-after": "1" }) }),
    auth: () => ({ answer: refuse(401, { message: "Incorrect API key provided" }) }),
    "too-long": () => ({
      answer: refuse(400, {
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model.",
      }),
    }),
  },
  tells: { reset: "minute", retries: true, cost: false, tokens: "late" },
};

/** As in our sandbox. */
export const codex: AgentAdapter = {
  ...sandboxedCodex,
  agent: {
    ...agent,
    run: (work, on, stop) => agent.run({ ...work, wrap: (command) => command }, on, stop),
  },
};

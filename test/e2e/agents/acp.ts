import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  gemini as geminiAgent,
  opencode as opencodeAgent,
  qwen as qwenAgent,
} from "../../../src/agents/acp/agent.ts";
import { quoteForShell } from "../../../src/text/quote.ts";
import { type Adapter, installAdapter, installClientNode } from "../hosts/adapter.ts";
import { gemini as geminiClient, SETTINGS } from "../hosts/gemini.ts";
import { opencode as opencodeClient, opencodeEnv, pretendLibrary } from "../hosts/opencode.ts";
import { qwen as qwenClient } from "../hosts/qwen.ts";
import type { Answer } from "../wire.ts";
import type { AgentAdapter, Scripted } from "./adapter.ts";

/** A client that is a script for a newer Node. */
async function putScript(client: Adapter, bin: string): Promise<void> {
  const line = [await installClientNode(), await installAdapter(client)].map(quoteForShell);
  const file = join(bin, client.id);
  writeFileSync(file, `#!/bin/sh\nexec ${line.join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
}

const says = (status: number, body: object): Scripted => ({
  answer: { raw: { status, body } } satisfies Answer,
});

const google = (code: number, status: string, message: string, details: object[] = []): Scripted =>
  says(code, { error: { code, message, status, details } });

const DAILY = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";

export const gemini: AgentAdapter = {
  agent: geminiAgent,
  async prepare({ home, bin, url }) {
    await putScript(geminiClient, bin);
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(SETTINGS));
    return { GEMINI_API_KEY: "made-up", GOOGLE_GEMINI_BASE_URL: url };
  },
  shell: geminiClient.shell,
  edit: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
  startMs: 10_000,
  silentMs: 12_000,
  troubles: {
    limit: () =>
      google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaId: DAILY, quotaMetric: "requests" }],
        },
      ]),
    auth: () =>
      google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
      ]),
    "too-long": () =>
      google(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      ),
  },
  tells: { reset: false, retries: false, cost: false, live: false },
};

const openai = (status: number, code: string, message: string): Scripted =>
  says(status, { error: { message, type: "invalid_request_error", code } });

const TOO_LONG =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 300000 tokens.";

export const qwen: AgentAdapter = {
  agent: qwenAgent,
  async prepare({ bin, url }) {
    await putScript(qwenClient, bin);
    return { OPENAI_API_KEY: "made-up", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" };
  },
  // It refuses to run `sleep`.
  shell: (command) =>
    qwenClient.shell(
      command
        .replaceAll(/\bsleep /g, "timeout -k 1 ")
        .replaceAll(/(timeout -k 1 [\d.]+)/g, "$1 tail -f /dev/null"),
    ),
  edit: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
  startMs: 30_000,
  silentMs: 20_000,
  isSide: (seen) => qwenClient.isSide?.(seen) === true || /suggest/i.test(seen.text.slice(0, 300)),
  troubles: {
    limit: () => openai(403, "quota", "Quota exceeded for quota metric"),
    auth: () => openai(401, "invalid_api_key", "Incorrect API key provided"),
    "too-long": () => openai(400, "context_length_exceeded", TOO_LONG),
  },
  tells: { reset: false, retries: false, cost: false },
};

export const opencode: AgentAdapter = {
  agent: opencodeAgent,
  async prepare({ home, bin, url }) {
    symlinkSync(await installAdapter(opencodeClient), join(bin, "opencode"));
    await pretendLibrary(home);
    return opencodeEnv(url);
  },
  shell: opencodeClient.shell,
  edit: (filePath, content) => ({ name: "write", input: { filePath, content } }),
  startMs: 30_000,
  silentMs: 20_000,
  troubles: {
    auth: () => openai(401, "invalid_api_key", "Incorrect API key provided"),
    // It keeps shortening its context.
    "too-long": () => openai(400, "context_length_exceeded", TOO_LONG),
  },
  tells: { reset: false, retries: false, cost: false, live: false },
};

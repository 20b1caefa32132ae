import { symlinkSync } from "node:fs";
import { extname, join } from "node:path";
import { claude as agent } from "../../../src/agents/claude/claude.ts";
import { clientEnv } from "../client.ts";
import { CURRENT, installClient } from "../install.ts";
import { type Answer, bash } from "../wire.ts";
import type { AgentAdapter } from "./adapter.ts";

const refuse = (
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ raw: { status, headers, body: { type: "error", error: { type, message } } } });

/** Only subscriptions have usage limits, and they log in with a token. */
const SUBSCRIBER = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "made-up" };

export const claude: AgentAdapter = {
  agent,
  async prepare({ home, bin, url }) {
    const program = await installClient(CURRENT);
    symlinkSync(program, join(bin, `claude${extname(program)}`));
    // The driver itself knows when this is needed.
    const { PATH: _, IS_SANDBOX: __, ...env } = clientEnv({ model: { url }, home });
    return env as Record<string, string>;
  },
  shell: bash,
  edit: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
  troubles: {
    limit: (resetsAt) => ({
      env: SUBSCRIBER,
      answer: refuse(429, "rate_limit_error", "This request would exceed your rate limit.", {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": String(resetsAt),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      }),
    }),
    busy: () => ({ answer: refuse(529, "overloaded_error", "Overloaded") }),
    auth: () => ({ answer: refuse(401, "authentication_error", "invalid x-api-key") }),
    "too-long": () => ({
      answer: refuse(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000"),
    }),
    refused: () => ({ answer: { say: "I cannot help with that.", stop: "refusal" } }),
  },
  tells: { reset: true, retries: true, cost: true },
};

import { copilot as agent } from "../../../src/agents/copilot/copilot.ts";
import { copilot as client, offlineEnv } from "../hosts/copilot.ts";
import type { Answer } from "../wire.ts";
import type { AgentAdapter } from "./adapter.ts";
import { linkProgram } from "./program.ts";

const refuse = (status: number, error: object, headers: Record<string, string> = {}): Answer => ({
  raw: { status, headers, body: { error } },
});

export const copilot: AgentAdapter = {
  agent,
  prepare: async ({ bin, url }) => offlineEnv(await linkProgram(client, "copilot", bin), url),
  shell: client.shell,
  edit: (path, file_text) => ({ name: "create", input: { path, file_text } }),
  troubles: {
    limit: () => ({
      answer: refuse(
        429,
        { code: "user_weekly_rate_limited", message: "You've reached your weekly rate limit." },
        // Longer than it would wait.
        { "retry-after": "7200" },
      ),
    }),
    busy: () => ({
      answer: refuse(429, { code: "rate_limited", message: "Slow down." }, { "retry-after": "1" }),
    }),
    auth: () => ({ answer: refuse(401, { message: "Incorrect API key provided" }) }),
    "too-long": () => ({
      answer: refuse(400, { message: "This model's maximum context length is 128000 tokens." }),
    }),
  },
  tells: { reset: false, retries: true, cost: false, tokens: "late" },
};

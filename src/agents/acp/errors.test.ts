import { describe, expect, it } from "vitest";
import { classify, type Failure } from "./errors.ts";

const NOW = Date.parse("2026-11-16T09:00:00Z");

const google = (code: number, message: string, more: object = {}): Failure => ({
  code,
  message: JSON.stringify({ error: { code, message, ...more } }),
});
const qwen = (details: string): Failure => ({
  code: -32603,
  message: "Internal error",
  data: { details },
});
const opencode = (text: string): Failure => ({
  code: -32603,
  message: `Internal error: ${text}`,
  data: { service: "session", errorName: "APIError" },
});

/** Errors from real agents, whose scripted service answered as real services do. */
const RECORDED: readonly (readonly [string, Failure, string])[] = [
  [
    "Gemini CLI, the day's quota",
    { code: 429, message: "You have exhausted your daily quota on this model." },
    "limit",
  ],
  ["Gemini CLI, a quota with 403", google(403, "Quota exceeded for quota metric"), "limit"],
  ["Gemini CLI, 403", google(403, "The caller does not have permission"), "auth"],
  [
    "Gemini CLI, a wrong key, which Google answers with 400",
    google(400, "API key not valid. Please pass a valid API key.", {
      status: "INVALID_ARGUMENT",
      details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com" }],
    }),
    "auth",
  ],
  [
    "Gemini CLI, too long",
    google(
      400,
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "too-long",
  ],
  ["Gemini CLI, 503", google(503, "The model is overloaded."), "busy"],
  ["Gemini CLI, 500", google(500, "Something went wrong."), "busy"],
  ["Gemini CLI, 400", google(400, "Request contains an invalid argument."), "crashed"],
  ["Qwen Code, 401", qwen("401 Incorrect API key provided"), "auth"],
  ["Qwen Code, 403", qwen("403 Quota exceeded for quota metric"), "limit"],
  ["Qwen Code, 502", qwen("502 status code (no body)"), "busy"],
  [
    "Qwen Code, too long",
    qwen(
      "400 This model's maximum context length is 128000 tokens. However, your messages resulted in 300000 tokens.",
    ),
    "too-long",
  ],
  ["Qwen Code, nothing", qwen("Model stream ended with empty response text."), "crashed"],
  [
    "Qwen Code, no login",
    {
      code: -32000,
      message: "Authentication required: Use Qwen Code CLI to authenticate first.",
      data: { authMethods: [{ id: "openai" }] },
    },
    "auth",
  ],
  ["OpenCode, 401", opencode("Incorrect API key provided"), "auth"],
  ["OpenCode, 429", opencode("Rate limited"), "busy"],
  ["OpenCode, 503", opencode("The model is overloaded."), "busy"],
  [
    "OpenCode, no credit",
    opencode("You exceeded your current quota, please check your plan and billing details."),
    "limit",
  ],
  [
    "Claude over ACP, usage limit",
    {
      code: -32603,
      message: "Internal error: You've hit your limit · resets 5:27pm (UTC)",
      data: { errorKind: "rate_limit" },
    },
    "limit",
  ],
  [
    "Claude over ACP, 429",
    { code: -32603, message: "Internal error", data: { errorKind: "rate_limit" } },
    "busy",
  ],
  [
    "Claude over ACP, 529",
    { code: -32603, message: "Internal error", data: { errorKind: "server_error" } },
    "busy",
  ],
  [
    "Claude over ACP, no credit",
    { code: -32603, message: "Internal error", data: { errorKind: "billing_error" } },
    "limit",
  ],
  ["Claude over ACP, no login", { code: -32000, message: "Authentication required" }, "auth"],
  [
    "Codex over ACP, usage limit",
    {
      code: -32603,
      message: "Internal error",
      data: {
        message: "You’ve hit your usage limit. Upgrade to Pro or try again at 5:13 PM.",
        codexErrorInfo: "usageLimitExceeded",
      },
    },
    "limit",
  ],
  ["Copilot over ACP, as text", { message: "Error: 503 Service Unavailable" }, "busy"],
  ["an unknown method", { code: -32601, message: "Method not found" }, "crashed"],
  ["nothing to go by", { code: -32603, message: "Internal error" }, "crashed"],
];

describe("what an agent's error means", () => {
  it.each(RECORDED)("%s", (_, failure, kind) => {
    expect(classify(failure, NOW).kind).toBe(kind);
  });

  it.each([
    [RECORDED[3]?.[1], "API key not valid. Please pass a valid API key."],
    [RECORDED[8]?.[1], "401 Incorrect API key provided"],
    [{ message: "a\u001b[31mb\nc" }, "a[31mb c"],
  ])("becomes a line for people", (failure, text) => {
    expect(classify(failure as Failure, NOW).text).toBe(text);
  });

  it.each([
    ["You exceeded your current quota. Please retry in 34.5s.", "2026-11-16T09:00:34.500Z"],
    ['quota {"retryDelay":"90s"}', "2026-11-16T09:01:30.000Z"],
    ["Usage limit reached, resets in 2h", "2026-11-16T11:00:00.000Z"],
    ["Usage limit reached until 2026-11-16T12:00:00+01:00", "2026-11-16T11:00:00.000Z"],
    ["Quota exceeded, retry after 99999999999h", undefined],
    ["Quota exceeded", undefined],
  ])("when the limit ends: %s", (message, resetsAt) => {
    const ending = classify({ message }, NOW);
    expect(ending.kind === "limit" && ending.resetsAt).toBe(resetsAt);
  });
});

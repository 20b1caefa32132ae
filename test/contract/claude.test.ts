import { describe, expect, it } from "vitest";
import { claude } from "../../src/hosts/claude/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: claude,
  env: { CLAUDE_PROJECT_DIR: "/project" },
  agentEnv: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s" },
  answerKeys: ["decision", "reason", "systemMessage"],
  tells: { message: true, agents: true, folder: true },
  stop: ({ session, cwd, continuing, message, agents = 0, shells = 0 }) => ({
    session_id: session,
    cwd,
    hook_event_name: "Stop",
    stop_hook_active: continuing,
    ...(message === undefined ? {} : { last_assistant_message: message }),
    background_tasks: [
      ...Array.from({ length: agents }, (_, id) => ({ id, type: "subagent", status: "running" })),
      ...Array.from({ length: shells }, (_, id) => ({ id, type: "shell", status: "running" })),
    ],
  }),
});

it("leaves the message undefined for clients that are too old to send it", () => {
  expect(claude.wire.parseStop({ cwd: "/p", transcript_path: "/t" }, {})).toEqual({
    sessionId: null,
    cwd: "/p",
    continuing: false,
    transcript: "/t",
    agentsRunning: 0,
  });
});

it("does not count unlabelled background work as an agent", () => {
  const tasks = [null, 5, "subagent", {}, { type: { toString: 1 } }, { type: ["subagent"] }];
  expect(claude.wire.parseStop({ cwd: "/p", background_tasks: tasks }, {})?.agentsRunning).toBe(0);
});

it.each([
  ["hello", true],
  ["/ralph-specum:pause", false],
  ["<task-notification>\n<task-id>1</task-id>", false],
])("knows that %j was typed: %s", (prompt, typed) => {
  expect(claude.wire.parsePrompt?.({ cwd: "/p", prompt }, {})?.typed).toBe(typed);
});

it("keeps what a service error said", () => {
  const input = {
    cwd: "/p",
    session_id: "s",
    error: "server_error",
    last_assistant_message: "API Error: 529",
  };
  expect(claude.wire.parseFailure?.(input, {})?.error).toBe("server_error: API Error: 529");
});

describe("a sub-agent", () => {
  const call = {
    session_id: "s",
    cwd: "/p",
    tool_name: "Agent",
    tool_use_id: "toolu_1",
    tool_input: { description: "d", prompt: "1.1", subagent_type: "x:y", model: "haiku" },
  };

  it("is started with our orders, in the foreground, and with the rest of what was asked", () => {
    expect(claude.wire.parseDelegation?.(call, {})).toMatchObject({
      callId: "toolu_1",
      agentType: "x:y",
      prompt: "1.1",
      isNested: false,
    });
    const text = claude.wire.formatOrders?.(call, "x:z", "orders") ?? "";
    expect(JSON.parse(text)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: {
          description: "d",
          prompt: "orders",
          subagent_type: "x:z",
          model: "haiku",
          run_in_background: false,
        },
      },
    });
  });

  it("of a sub-agent is told apart, and anything else is not for us", () => {
    expect(claude.wire.parseDelegation?.({ ...call, agent_id: "a" }, {})?.isNested).toBe(true);
    for (const odd of [null, 7, {}, { ...call, tool_input: "x" }, { ...call, tool_use_id: 3 }])
      expect(claude.wire.parseDelegation?.(odd, {})).toBeUndefined();
  });

  it("that went to the background has not ended", () => {
    const ended = (tool_response: unknown) =>
      claude.wire.parseReturn?.({ ...call, tool_response }, {});
    expect(ended({ status: "async_launched" })?.isOver).toBe(false);
    expect(ended(undefined)?.isOver).toBe(false);
    const used = { totalTokens: 5, totalToolUseCount: 2, totalDurationMs: 9, agentId: "a" };
    expect(ended({ status: "completed", ...used })).toMatchObject({
      isOver: true,
      tokens: 5,
      toolUses: 2,
      ms: 9,
      agentId: "a",
      model: null,
    });
  });
});

it("reads which agents woke the session, and what they used", () => {
  const note = (id: string): string =>
    `<task-notification>\n<task-id>a</task-id>\n<tool-use-id>${id}</tool-use-id>\n<result>x</result>\n<usage><subagent_tokens>26</subagent_tokens><tool_uses>1</tool_uses><duration_ms>2157</duration_ms></usage>\n</task-notification>`;
  const parse = (prompt: unknown) =>
    claude.wire.parseNotification?.({ session_id: "s", cwd: "/p", prompt }, {});
  expect(parse(`${note("t1")}\n${note("t2")}`)).toMatchObject([
    { callId: "t1", agentId: "a", isOver: true, tokens: 26, toolUses: 1, ms: 2157 },
    { callId: "t2" },
  ]);
  for (const odd of [undefined, 7, "", "hello", "<task-notification>"])
    expect(parse(odd)).toEqual([]);
});

it.each([
  [undefined, "decision"],
  ["claude-code_2-1-199_harness", "decision"],
  ["claude-code_2-1-200_harness", "hookSpecificOutput"],
  ["claude-code_2-1-325_harness", "hookSpecificOutput"],
  ["claude-code_3-0-1_harness", "hookSpecificOutput"],
  ["claude-code_1-9-999_harness", "decision"],
  ["something else", "decision"],
])("a turn goes on without being called an error where the client can: %s", (agent, key) => {
  const env = agent === undefined ? {} : { AI_AGENT: agent };
  const text = claude.wire.formatAnswer({ outcome: "continue", reason: "go on" }, env);
  expect(Object.keys(JSON.parse(text) as object)).toContain(key);
  expect(text).toContain("go on");
});

it("a sub-agent's service error is not the end of the session's turn", () => {
  const failed = { session_id: "s", cwd: "/p", error: "overloaded" };
  expect(claude.wire.parseFailure?.(failed, {})?.error).toBe("overloaded");
  expect(claude.wire.parseFailure?.({ ...failed, agent_id: "a" }, {})).toBeUndefined();
});

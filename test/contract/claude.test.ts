import { expect, it } from "vitest";
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

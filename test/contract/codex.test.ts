import { expect, it } from "vitest";
import { codex } from "../../src/hosts/codex/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: codex,
  agentEnv: { CODEX_THREAD_ID: "s", CODEX_SESSION_ID: "s", CODEX_TOOL_CALL_ID: "c" },
  answerKeys: ["decision", "reason", "systemMessage"],
  tells: { message: true, agents: false, folder: false },
  stop: ({ session, cwd, continuing, message }) => ({
    session_id: session,
    turn_id: "t",
    transcript_path: "/t",
    cwd,
    hook_event_name: "Stop",
    model: "m",
    permission_mode: "default",
    stop_hook_active: continuing,
    last_assistant_message: message ?? null,
  }),
});

const prompt = (text: string, more: object = {}) =>
  codex.wire.parsePrompt?.({ session_id: "s", cwd: "/p", prompt: text, ...more }, {});

it.each([
  ["$ralph-specum:implement demo --fast", "/ralph-specum:implement demo --fast", false],
  ["  $ralph-specum:status", "/ralph-specum:status", false],
  ["[$ralph-specum:start](/plugins/x/SKILL.md) a goal", "/ralph-specum:start a goal", false],
  ["/ralph-speckit:pause", "/ralph-speckit:pause", false],
  ["what does $ralph-specum:cancel do?", "what does $ralph-specum:cancel do?", true],
  ["$HOME is a variable", "$HOME is a variable", true],
  ["hello", "hello", true],
])("reads %j", (typed, text, isTyped) => {
  expect(prompt(typed)).toMatchObject({
    text,
    typed: isTyped,
    tellsCommands: false,
    sessionId: "s",
  });
});

it("takes what an agent says to another for no prompt of the user's", () => {
  expect(prompt("$ralph-specum:approve", { agent_id: "a", agent_type: "default" })).toBeUndefined();
  expect(prompt("$ralph-specum:approve", { cwd: 7 })).toBeUndefined();
});

it("adds context with the name of the event, and nothing that the client does not know", () => {
  const notice = (event: "prompt" | "start", say?: string, context?: string): unknown =>
    JSON.parse(codex.wire.formatNotice?.(event, say, context) || "null");
  const added = (hookEventName: string) => ({
    hookSpecificOutput: { hookEventName, additionalContext: "context" },
  });
  expect(notice("prompt", undefined, "context")).toEqual(added("UserPromptSubmit"));
  expect(notice("start", "line", "context")).toEqual({
    systemMessage: "line",
    ...added("SessionStart"),
  });
  expect(notice("prompt")).toBeNull();
});

import { expect, it } from "vitest";
import { qwen } from "../../src/hosts/qwen/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: qwen,
  env: { QWEN_PROJECT_DIR: "/project" },
  agentEnv: { QWEN_CODE: "1", QWEN_CODE_SESSION_ID: "s" },
  answerKeys: ["decision", "reason", "systemMessage"],
  tells: { message: true, agents: true, folder: true },
  stop: ({ session, cwd, continuing, message, agents = 0, shells = 0 }) => ({
    session_id: session,
    cwd,
    hook_event_name: "Stop",
    stop_hook_active: continuing,
    ...(message === undefined ? {} : { last_assistant_message: message }),
    background_tasks: [
      ...Array.from({ length: agents }, (_, id) => ({ id, status: "running", agent_type: "x" })),
      // Shells are not listed there, but agents that have ended are.
      ...Array.from({ length: shells }, (_, id) => ({ id, status: "completed", agent_type: "x" })),
    ],
  }),
});

const prompt = (fields: object) => qwen.wire.parsePrompt?.({ cwd: "/p", ...fields }, {});

it("takes for the user's what the user submitted, and nothing else that looks like a prompt", () => {
  const expanded = "ralph-specum's hook has run this command.";
  expect(prompt({ prompt: expanded, submitted_prompt: "/ralph-specum:pause now" })).toMatchObject({
    text: "/ralph-specum:pause now",
    typed: false,
    isNotification: false,
  });
  expect(prompt({ prompt: "hello", submitted_prompt: "hello" })?.typed).toBe(true);
  // After a tool, and with a continuation.
  expect(prompt({ prompt: "" })).toBeUndefined();
  expect(prompt({ prompt: "/ralph-specum:approve" })).toBeUndefined();
});

it("tells the model how the client changes brackets", () => {
  const told = (text: string): string => {
    const answer = qwen.wire.formatNotice?.("prompt", "line", text) ?? "";
    return (JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } })
      .hookSpecificOutput.additionalContext;
  };
  expect(told("done <id>")).toMatch(/&lt; .*\n\ndone <id>$/);
  expect(told("plain")).toBe("plain");
  expect(qwen.wire.formatNotice?.("prompt", "line", undefined)).toBe("");
});

import { expect, it } from "vitest";
import { copilot } from "../../src/hosts/copilot/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: copilot,
  env: { COPILOT_PROJECT_DIR: "/project" },
  agentEnv: { COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: "s" },
  answerKeys: ["decision", "reason"],
  tells: { message: false, agents: false, folder: true },
  stop: ({ session, cwd, continuing }) => ({
    session_id: session,
    cwd,
    hook_event_name: "Stop",
    stop_hook_active: continuing,
    stop_reason: "end_turn",
  }),
});

const prompt = (fields: object) => copilot.wire.parsePrompt?.({ cwd: "/p", ...fields }, {});

/** As the client reports a command that was chosen at a terminal. */
const chosen = (command: string, rest: string): string =>
  `The user explicitly invoked the "${command}" skill. Follow its instructions now.\n\n<skill-context name="x">\nBase directory for this skill: /x\n\nWords.\n${rest}\n\n</skill-context>`;

it.each([
  ["/ralph-specum:start add a limit", "/ralph-specum:start add a limit"],
  [
    chosen("/ralph-specum:start", "\nTyped after the command: add\n\na limit"),
    "/ralph-specum:start add\n\na limit",
  ],
  [chosen("/ralph-specum:pause", "\nTyped after the command: "), "/ralph-specum:pause"],
  [chosen("/other:thing", ""), "/other:thing"],
  ["hello", "hello"],
  [
    'I read: The user explicitly invoked the "/x" skill.',
    'I read: The user explicitly invoked the "/x" skill.',
  ],
])("reads %j as what was typed", (given, text) => {
  expect(prompt({ prompt: given })).toMatchObject({ text, typed: !text.startsWith("/") });
});

it("does not take its own continuation for a prompt of the user", () => {
  const answer = copilot.wire.formatAnswer({ outcome: "continue", reason: "Go on." }, {});
  const { reason } = JSON.parse(answer) as { reason: string };
  expect(prompt({ prompt: reason })).toBeUndefined();
});

it("hears nothing from sub-agents, whose prompts an agent writes", () => {
  const event = { cwd: "/p", agent_id: "a", parent_agent_id: "b" };
  expect(prompt({ ...event, prompt: "/ralph-specum:approve" })).toBeUndefined();
  expect(copilot.wire.parseStop(event, {})).toBeUndefined();
});

it("keeps what a service error said", () => {
  const error = { message: "429 too many", name: "Error", stack: "…" };
  expect(copilot.wire.parseFailure?.({ cwd: "/p", error }, {})?.error).toBe("429 too many");
});

it("adds to a prompt where this client looks for it", () => {
  const notice = copilot.wire.formatNotice?.("prompt", "line", "text") ?? "";
  expect(JSON.parse(notice)).toEqual({ additionalContext: "text" });
});

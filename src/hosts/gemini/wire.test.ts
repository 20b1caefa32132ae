import { describe, expect, it } from "vitest";
import { commandText, wire } from "./wire.ts";

const IN_CLIENT = { GEMINI_PROJECT_DIR: "/p", GEMINI_SESSION_ID: "s" };
const input = { session_id: "s", cwd: "/p", transcript_path: "/t" };
const hear = (prompt: string) => wire.parsePrompt?.({ ...input, prompt }, IN_CLIENT);
const answer = (outcome: "continue" | "corrupt", words: object) =>
  JSON.parse(wire.formatAnswer({ outcome, ...words }, {})) as Record<string, unknown>;

describe("what the user typed", () => {
  const expand = (args: string): string =>
    commandText("ralph-specum", "start").replace("{{args}}", () => args);

  it.each([
    [
      "as the client expands it",
      expand("demo Add a limit"),
      "/ralph-specum:start demo Add a limit",
    ],
    ["in several lines", expand("a\n\nb"), "/ralph-specum:start a\n\nb"],
    ["alone", expand(""), "/ralph-specum:start"],
    [
      "before the client has read its commands",
      "/ralph-specum:start demo",
      "/ralph-specum:start demo",
    ],
    [
      "after another extension's words",
      "<hook_context>Be &lt;kind&gt;.</hook_context>\n\n/ralph-specum:start demo",
      "/ralph-specum:start demo",
    ],
  ])("is found %s", (_, prompt, typed) => {
    expect(hear(prompt)).toMatchObject({ text: typed, typed: false, tellsCommands: false });
  });

  it("is told from talk", () => {
    expect(hear("hello")).toMatchObject({ text: "hello", typed: true, isNotification: false });
    expect(hear("Explain <hook_context>\n/ralph-specum:approve")).toMatchObject({ typed: true });
  });

  it("is not what our hook said, however it begins", () => {
    const { reason } = answer("continue", { reason: "/ralph-specum:approve" });
    expect(hear(String(reason))).toBeUndefined();
  });

  it.each([undefined, null, 7, "x", {}, { cwd: "/p", prompt: 3 }])("survives %j", (odd) => {
    expect(wire.parsePrompt?.(odd, {})?.text ?? "").toBe("");
  });
});

describe("the end of a turn", () => {
  it("leaves the last message to the transcript: the client sends all since the prompt", () => {
    const stopped = wire.parseStop({ ...input, prompt_response: "TASK_COMPLETE\nhm" }, {});
    expect(stopped).toMatchObject({ transcript: "/t", agentsRunning: 0 });
    expect(stopped).not.toHaveProperty("message");
  });

  it("begins each task with an empty context, and keeps it for all else", () => {
    expect(answer("continue", { reason: "go", say: "line" })).toMatchObject({
      decision: "block",
      reason: expect.stringMatching(/^go\n/) as string,
      systemMessage: "line",
      hookSpecificOutput: { hookEventName: "AfterAgent", clearContext: true },
    });
    expect(answer("corrupt", { reason: "oops" })).not.toHaveProperty("hookSpecificOutput");
    expect(answer("corrupt", { reason: "oops\nmore" })).toMatchObject({ systemMessage: "oops" });
    expect(answer("continue", { say: "line" })).toEqual({ systemMessage: "line" });
  });

  it("answers even if there is nothing to say, so that the client does not show the log", () => {
    expect(wire.formatAnswer({ outcome: "idle" }, {})).toBe("{}");
    expect(wire.formatNotice?.("prompt", undefined, undefined)).toBe("{}");
  });
});

describe("what is added to a prompt", () => {
  const added = (event: "prompt" | "start", context: string) =>
    JSON.parse(wire.formatNotice?.(event, "line", context) ?? "") as Record<string, unknown>;

  it("says what the client does to two signs, if they are there", () => {
    expect(added("prompt", "plain")).toEqual({
      systemMessage: "line",
      hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "plain" },
    });
    expect(JSON.stringify(added("prompt", "a > b"))).toContain("a > b\\n\\n(Above, &lt; and &gt;");
  });

  it("is nothing at the start of a session: a headless client would not find the command after it", () => {
    expect(added("start", "context")).toEqual({ systemMessage: "line" });
  });
});

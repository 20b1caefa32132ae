import { describe, expect, it } from "vitest";
import { callerIn } from "../../src/hosts/all.ts";
import { opencode } from "../../src/hosts/opencode/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: opencode,
  agentEnv: { OPENCODE: "1", OPENCODE_SESSION_ID: "s" },
  answerKeys: ["reason", "say"],
  tells: { message: true, agents: true, folder: false },
  stop: ({ session, cwd, continuing, message, agents }) => ({
    session,
    cwd,
    continuing,
    message,
    agents,
  }),
});

it("takes an agent for an agent even where our plugin is not loaded", () => {
  expect(callerIn(opencode, { OPENCODE: "1" }, true)).toEqual({
    session: null,
    authority: "agent",
  });
  expect(callerIn(opencode, { OPENCODE_SESSION_ID: "s" }, true).session).toBe("s");
});

describe("what the user typed", () => {
  const parse = (prompt: string) =>
    opencode.wire.parsePrompt?.({ session: "s", cwd: "/p", prompt }, {});

  it.each([
    ["hello", "hello", true],
    ["/ralph-specum:implement demo", "/ralph-specum:implement demo", false],
    ['"/ralph-specum:start \\"a goal\\""', '/ralph-specum:start "a goal"', false],
    ['"hello there"', '"hello there"', true],
  ])("%j is %j", (prompt, text, typed) => {
    expect(parse(prompt)).toMatchObject({ text, typed, isNotification: false });
  });
});

it("reports a failed turn", () => {
  expect(opencode.wire.parseFailure?.({ cwd: "/p", error: "APIError: 529" }, {})).toMatchObject({
    error: "APIError: 529",
  });
  expect(opencode.wire.parseFailure?.({ cwd: "/p" }, {})?.error).toBe("unknown error");
  expect(opencode.wire.parseFailure?.(undefined, {})).toBeUndefined();
});

it("adds to a prompt, and denies a question", () => {
  const notice = opencode.wire.formatNotice;
  expect(notice?.("prompt", undefined, undefined)).toBe("");
  expect(JSON.parse(notice?.("prompt", "a", "b") ?? "")).toEqual({ say: "a", context: "b" });
  expect(JSON.parse(opencode.wire.formatDenial?.("no") ?? "")).toEqual({ deny: "no" });
});

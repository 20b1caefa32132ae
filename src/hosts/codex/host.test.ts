import { expect, it } from "vitest";
import { callerIn } from "../all.ts";
import { codex } from "./host.ts";

it.each([
  ["a person at a terminal", {}, true, { session: null, authority: "user" }],
  ["a script", {}, false, { session: null, authority: "script" }],
  [
    "an agent",
    { CODEX_SESSION_ID: "s", CODEX_THREAD_ID: "s", CODEX_TOOL_CALL_ID: "c" },
    false,
    { session: "s", authority: "agent" },
  ],
  [
    "a sub-agent, which has a thread of its own in the main agent's session",
    { CODEX_SESSION_ID: "s", CODEX_THREAD_ID: "t" },
    false,
    { session: "s", authority: "agent" },
  ],
  [
    "an agent that hides its session",
    { CODEX_CI: "1" },
    true,
    { session: null, authority: "agent" },
  ],
  ["nothing said", { CODEX_THREAD_ID: "" }, false, { session: null, authority: "script" }],
])("%s", (_, env, isTerminal, caller) => expect(callerIn(codex, env, isTerminal)).toEqual(caller));

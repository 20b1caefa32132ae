import { expect, it } from "vitest";
import { callerIn } from "../all.ts";
import { claude } from "./host.ts";

it.each([
  ["a person at a terminal", {}, true, { session: null, authority: "user" }],
  ["a script", {}, false, { session: null, authority: "script" }],
  ["an agent", { CLAUDE_CODE_SESSION_ID: "s" }, false, { session: "s", authority: "agent" }],
  [
    "an agent of an older client",
    { CLAUDECODE: "1" },
    false,
    { session: null, authority: "agent" },
  ],
  ["another client's agent", { AI_AGENT: "x" }, false, { session: null, authority: "agent" }],
  ["an agent at a terminal", { CLAUDECODE: "1" }, true, { session: null, authority: "agent" }],
  ["nothing said", { CLAUDECODE: "", AI_AGENT: "" }, false, { session: null, authority: "script" }],
])("%s", (_, env, isTerminal, caller) => expect(callerIn(claude, env, isTerminal)).toEqual(caller));

import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** What the client sets for the commands that its agents run. Its hooks have none of these. */
const MARKS = ["CODEX_TOOL_CALL_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI"];

const isAgents = (env: Environment): boolean => MARKS.some((name) => (env[name] ?? "") !== "");

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    // A sub-agent has a thread of its own, in the session of the main agent, which is the one that hooks name.
    const session = env["CODEX_SESSION_ID"] || env["CODEX_THREAD_ID"];
    if (isAgents(env))
      return { session: session?.slice(0, MAX_SESSION) ?? null, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  agentMarks: MARKS,
  isInClient: isAgents,
  projectFolder: () => undefined,
};

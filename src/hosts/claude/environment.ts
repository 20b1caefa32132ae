import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** What the client sets for everything it runs: slash commands, hooks and the agent's own commands. */
const MARKS = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"];

const isSet = (env: Environment, name: string): boolean => (env[name] ?? "") !== "";

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    const session = env["CLAUDE_CODE_SESSION_ID"]?.slice(0, MAX_SESSION) || null;
    if (MARKS.some((name) => isSet(env, name))) return { session, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  // 2.1.113 and later give it to the agent's shell alone; a hook gets the rest as well.
  agentMarks: ["CLAUDE_CODE_EXECPATH"],
  isInClient: (env) => isSet(env, "CLAUDECODE"),
  projectFolder: (env) => env["CLAUDE_PROJECT_DIR"] || undefined,
};

import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** Set for what the agent runs in a shell, and so for a client that the agent starts. */
const AGENT = "GEMINI_CLI";

/** Set for hooks only. */
const SESSION = "GEMINI_SESSION_ID";

const isSet = (env: Environment, name: string): boolean => (env[name] ?? "") !== "";

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    if (isSet(env, AGENT) || isSet(env, SESSION))
      return { session: env[SESSION]?.slice(0, MAX_SESSION) || null, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  agentMarks: [AGENT],
  isInClient: (env) => isSet(env, AGENT) || isSet(env, SESSION),
  projectFolder: (env) => env["GEMINI_PROJECT_DIR"] || undefined,
};

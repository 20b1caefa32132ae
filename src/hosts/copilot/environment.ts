import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** Set for the agent's commands only. */
const SESSION = "COPILOT_AGENT_SESSION_ID";

/** The first is set for hooks too. */
const MARKS = ["COPILOT_CLI", SESSION];

const isInClient = (env: Environment): boolean => MARKS.some((name) => (env[name] ?? "") !== "");

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    const session = env[SESSION]?.slice(0, MAX_SESSION) || null;
    if (isInClient(env)) return { session, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  agentMarks: [SESSION],
  isInClient,
  projectFolder: (env) => env["COPILOT_PROJECT_DIR"] || undefined,
};

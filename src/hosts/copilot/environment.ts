import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** The first is set for the agent's commands and for hooks, the other only for the agent's commands. */
const MARKS = ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"];

const isInClient = (env: Environment): boolean => MARKS.some((name) => (env[name] ?? "") !== "");

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    const session = env["COPILOT_AGENT_SESSION_ID"]?.slice(0, MAX_SESSION) || null;
    if (isInClient(env)) return { session, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  isInClient,
  projectFolder: (env) => env["COPILOT_PROJECT_DIR"] || undefined,
};

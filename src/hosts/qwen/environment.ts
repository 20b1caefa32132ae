import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/** Set for the agent's commands only. */
const AGENT = "QWEN_CODE";

/** The other is set for hooks too. */
const MARKS = [AGENT, "QWEN_CODE_SESSION_ID"];

const isInClient = (env: Environment): boolean => MARKS.some((name) => (env[name] ?? "") !== "");

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    const session = env["QWEN_CODE_SESSION_ID"]?.slice(0, MAX_SESSION) || null;
    if (isInClient(env)) return { session, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  agentMarks: [AGENT],
  isInClient,
  projectFolder: (env) => env["QWEN_PROJECT_DIR"] || undefined,
};

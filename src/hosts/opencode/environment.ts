import { MAX_SESSION } from "../../run/loop.ts";
import type { Environment, Host } from "../host.ts";

/**
 * The session, which our plugin gives to every command that an agent runs. What has it in its environment was started
 * by an agent, another client too.
 */
export const SESSION = "OPENCODE_SESSION_ID";

/** `OPENCODE` is the client's own mark. */
const MARKS = [SESSION, "OPENCODE"];

const isSet = (env: Environment, name: string): boolean => (env[name] ?? "") !== "";

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    const session = env[SESSION]?.slice(0, MAX_SESSION) || null;
    if (MARKS.some((name) => isSet(env, name))) return { session, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  agentMarks: [SESSION],
  isInClient: (env) => MARKS.some((name) => isSet(env, name)),
  projectFolder: () => undefined,
};

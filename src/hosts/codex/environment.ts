import type { Environment, Host } from "../host.ts";

const isSet = (env: Environment, name: string): boolean => (env[name] ?? "") !== "";

/** What the client sets for the commands that its agent runs. */
const MARKS = ["CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"];

export const environment: Host["environment"] = {
  callerOf(env, isTerminal) {
    if (MARKS.some((name) => isSet(env, name)))
      return { session: env["CODEX_THREAD_ID"] || null, authority: "agent" };
    return { session: null, authority: isTerminal ? "user" : "script" };
  },
  isInClient: (env) => MARKS.some((name) => isSet(env, name)),
  projectFolder: () => undefined,
};

import { MAX_SESSION } from "../run/loop.ts";

/** Whose command this is. Only what the user typed into a client, or at a terminal, has the user's authority. */
export interface Caller {
  readonly session: string | null;
  /**
   * `user`: typed after a slash, as the client told us, or at a terminal. `agent`: run by an agent in a client.
   * `script`: neither; it may begin what is nobody's, but not decide about a session's run.
   */
  readonly authority: "user" | "agent" | "script";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What clients set for the commands that they run, slash commands and the agent's own alike. */
const MARKS = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"];

/** Who calls without a ticket. */
export function planCaller(env: Environment, isTerminal: boolean): Caller {
  const session = env["CLAUDE_CODE_SESSION_ID"]?.slice(0, MAX_SESSION) || null;
  if (MARKS.some((name) => (env[name] ?? "") !== "")) return { session, authority: "agent" };
  return { session: null, authority: isTerminal ? "user" : "script" };
}

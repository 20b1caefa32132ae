import { environmentOf } from "../environment.ts";

/**
 * The session, which our plugin gives to every command that an agent runs. What has it in its environment was started
 * by an agent, another client too.
 */
export const SESSION = "OPENCODE_SESSION_ID";

export const environment = environmentOf({
  // `OPENCODE` is the client's own.
  marks: [SESSION, "OPENCODE"],
  agentMarks: [SESSION],
  session: [SESSION],
});

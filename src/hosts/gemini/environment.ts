import { environmentOf } from "../environment.ts";

/** Set for what the agent runs in a shell, and so for a client that the agent starts. */
const AGENT = "GEMINI_CLI";

/** Set for hooks only. */
const SESSION = "GEMINI_SESSION_ID";

export const environment = environmentOf({
  marks: [AGENT, SESSION],
  agentMarks: [AGENT],
  session: [SESSION],
  projectFolder: "GEMINI_PROJECT_DIR",
});

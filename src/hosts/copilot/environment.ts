import { environmentOf } from "../environment.ts";

/** Set for the agent's commands only. */
const SESSION = "COPILOT_AGENT_SESSION_ID";

export const environment = environmentOf({
  // The first is set for hooks too.
  marks: ["COPILOT_CLI", SESSION],
  agentMarks: [SESSION],
  session: [SESSION],
  projectFolder: "COPILOT_PROJECT_DIR",
});

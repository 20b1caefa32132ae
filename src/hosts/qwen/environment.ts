import { environmentOf } from "../environment.ts";

/** Set for the agent's commands only. */
const AGENT = "QWEN_CODE";

/** Set for hooks too. */
const SESSION = "QWEN_CODE_SESSION_ID";

export const environment = environmentOf({
  marks: [AGENT, SESSION],
  agentMarks: [AGENT],
  session: [SESSION],
  projectFolder: "QWEN_PROJECT_DIR",
});

import { environmentOf } from "../environment.ts";

export const environment = environmentOf({
  // Set for everything the client runs: slash commands, hooks and the agent's own commands.
  marks: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"],
  // 2.1.113 and later give it to the agent's shell alone; a hook gets the rest as well.
  agentMarks: ["CLAUDE_CODE_EXECPATH"],
  session: ["CLAUDE_CODE_SESSION_ID"],
  inClient: ["CLAUDECODE"],
  projectFolder: "CLAUDE_PROJECT_DIR",
});

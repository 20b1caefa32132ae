import { withVoice } from "../client.ts";
import type { Host } from "../host.ts";
import * as transcript from "./transcript.ts";
import { PROJECT_FOLDER, wire } from "./wire.ts";

export const claude: Host = {
  name: "claude",
  npm: "@anthropic-ai/claude-code",
  /** One plugin for each layout, with slash commands. */
  edition: (layout) =>
    withVoice(layout, {
      command: (name) => `/${layout.plugin}:${name}`,
      agent: (name) => `${layout.plugin}:${name}`,
      worker: { kind: "agents", tool: "Agent" },
      // The client puts it on the path of the commands it runs.
      program: layout.plugin,
      questionTool: "AskUserQuestion",
      questionsAtOnce: 4,
    }),
  commandsByHook: false,
  variables: {
    // Set for everything the client runs: slash commands, hooks and the agent's own commands.
    marks: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"],
    // 2.1.113 and later give it to the agent's shell alone; a hook gets the rest as well.
    agentMarks: ["CLAUDE_CODE_EXECPATH"],
    session: ["CLAUDE_CODE_SESSION_ID"],
    own: ["CLAUDECODE"],
    projectFolder: PROJECT_FOLDER,
  },
  transcript,
  wire,
};

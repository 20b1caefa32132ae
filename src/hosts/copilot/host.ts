import { selfEdition } from "../client.ts";
import type { Host } from "../host.ts";
import { transcript } from "./transcript.ts";
import { PROJECT_FOLDER, wire } from "./wire.ts";

/** Set for the agent's commands only. */
const SESSION = "COPILOT_AGENT_SESSION_ID";

export const copilot: Host = {
  name: "copilot",
  npm: "@github/copilot",
  /** The client continues a prompt only a few times: tasks are reported with a command. */
  edition: selfEdition({
    sign: "/",
    questionTool: "ask_user",
    forgets: false,
    reports: "command",
  }),
  commandsByHook: true,
  variables: {
    // The first is set for hooks too.
    marks: ["COPILOT_CLI", SESSION],
    agentMarks: [SESSION],
    session: [SESSION],
    projectFolder: PROJECT_FOLDER,
  },
  transcript,
  wire,
  stops: { client: "Copilot CLI", max: 8 },
};

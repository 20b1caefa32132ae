import { selfEdition } from "../client.ts";
import type { Host } from "../host.ts";
import { readForeign } from "./foreign.ts";
import { transcript } from "./transcript.ts";
import { PROJECT_FOLDER, wire } from "./wire.ts";

/** Set for what the agent runs in a shell, and so for a client that the agent starts. */
const AGENT = "GEMINI_CLI";

/** Set for hooks only. */
const SESSION = "GEMINI_SESSION_ID";

export const gemini: Host = {
  name: "gemini",
  npm: "@google/gemini-cli",
  /** Each task begins with an empty context: see `wire.ts`. */
  edition: selfEdition({ sign: "/", questionTool: "ask_user", forgets: true, reports: "stop" }),
  commandsByHook: true,
  variables: {
    marks: [AGENT, SESSION],
    agentMarks: [AGENT],
    session: [SESSION],
    projectFolder: PROJECT_FOLDER,
  },
  transcript,
  wire,
  readForeign,
};

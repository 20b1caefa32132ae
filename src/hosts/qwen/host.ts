import { selfEdition } from "../client.ts";
import type { Host } from "../host.ts";
import { noTranscript } from "../transcript.ts";
import { PROJECT_FOLDER, wire } from "./wire.ts";

/** Set for the agent's commands only. */
const AGENT = "QWEN_CODE";

/** Set for hooks too. */
const SESSION = "QWEN_CODE_SESSION_ID";

export const qwen: Host = {
  name: "qwen",
  npm: "@qwen-code/qwen-code",
  /** The client continues a prompt only a few times, so tasks are reported with a command. */
  edition: selfEdition({
    sign: "/",
    questionTool: "ask_user_question",
    forgets: false,
    reports: "command",
  }),
  commandsByHook: true,
  variables: {
    marks: [AGENT, SESSION],
    agentMarks: [AGENT],
    session: [SESSION],
    projectFolder: PROJECT_FOLDER,
  },
  transcript: noTranscript,
  wire,
};

import { selfEdition } from "../client.ts";
import type { Host } from "../host.ts";
import * as transcript from "./transcript.ts";
import { wire } from "./wire.ts";

/** What the client sets for the commands that its agents run. Its hooks have none of these. */
const MARKS = ["CODEX_TOOL_CALL_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI"];

export const codex: Host = {
  name: "codex",
  npm: "@openai/codex",
  /** Skills, which users mention with a dollar sign. */
  edition: selfEdition({
    sign: "$",
    questionTool: "request_user_input",
    forgets: false,
    reports: "stop",
  }),
  commandsByHook: true,
  variables: {
    marks: MARKS,
    agentMarks: MARKS,
    // A sub-agent has a thread of its own, in the session of the main agent, which is the one that hooks name.
    session: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"],
  },
  transcript,
  wire,
};

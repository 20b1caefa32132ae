import { selfEdition } from "../client.ts";
import type { Host } from "../host.ts";
import { noTranscript } from "../transcript.ts";
import { wire } from "./wire.ts";

/**
 * The session, which our plugin gives to every command that an agent runs. What has it in its environment was started
 * by an agent, another client too.
 */
export const SESSION = "OPENCODE_SESSION_ID";

export const opencode: Host = {
  name: "opencode",
  npm: "opencode-ai",
  /** Slash commands, which the plugin adds to the menu. */
  edition: selfEdition({ sign: "/", questionTool: "question", forgets: false, reports: "stop" }),
  commandsByHook: true,
  variables: {
    // `OPENCODE` is the client's own.
    marks: [SESSION, "OPENCODE"],
    agentMarks: [SESSION],
    session: [SESSION],
  },
  transcript: noTranscript,
  wire,
};

import { environmentOf } from "../environment.ts";

/** What the client sets for the commands that its agents run. Its hooks have none of these. */
const MARKS = ["CODEX_TOOL_CALL_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI"];

export const environment = environmentOf({
  marks: MARKS,
  agentMarks: MARKS,
  // A sub-agent has a thread of its own, in the session of the main agent, which is the one that hooks name.
  session: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"],
});

import { gemini } from "../../src/hosts/gemini/host.ts";
import { describeHost } from "./host.ts";

describeHost({
  host: gemini,
  env: { GEMINI_PROJECT_DIR: "/project", GEMINI_SESSION_ID: "s" },
  agentEnv: { GEMINI_CLI: "1" },
  answerKeys: ["decision", "reason", "systemMessage", "hookSpecificOutput"],
  tells: { message: false, agents: false, folder: true },
  stop: ({ session, cwd, continuing }) => ({
    session_id: session,
    cwd,
    transcript_path: "/home/chats/session.jsonl",
    hook_event_name: "AfterAgent",
    timestamp: "2026-11-16T05:34:24.824Z",
    prompt: "/ralph-specum:implement demo",
    prompt_response: "first\nsecond",
    stop_hook_active: continuing,
  }),
});

import { SESSION } from "../program/support.ts";

export type Variables = Readonly<Record<string, string>>;

/** What the clients give to a hook and to an agent's shell, as measured in the versions that are tested. */
export const CLIENTS = {
  claude: {
    hook: {
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: SESSION,
      CLAUDE_CODE_CHILD_SESSION: "1",
      AI_AGENT: "claude-code_2-1-325_harness",
    },
    shell: {
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "outer",
      CLAUDE_CODE_CHILD_SESSION: "1",
      CLAUDE_CODE_EXECPATH: "/bin/claude",
      AI_AGENT: "claude-code_2-1-325_agent",
    },
  },
  codex: {
    hook: { PLUGIN_ROOT: "/x", CLAUDE_PLUGIN_ROOT: "/x" },
    shell: { CODEX_SESSION_ID: "outer", CODEX_THREAD_ID: "outer", CODEX_TOOL_CALL_ID: "c" },
  },
  gemini: { hook: { GEMINI_SESSION_ID: SESSION }, shell: { GEMINI_CLI: "1" } },
  opencode: {
    hook: { OPENCODE: "1", AGENT: "1" },
    shell: { OPENCODE: "1", AGENT: "1", OPENCODE_SESSION_ID: "outer" },
  },
  qwen: {
    hook: { QWEN_CODE_SESSION_ID: SESSION },
    shell: { QWEN_CODE: "1", QWEN_CODE_SESSION_ID: "outer" },
  },
  copilot: {
    hook: { COPILOT_CLI: "1" },
    shell: { COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: "outer" },
  },
} as const satisfies Readonly<
  Record<string, { readonly hook: Variables; readonly shell: Variables }>
>;

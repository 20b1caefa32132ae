/** Of the user's environment, an agent gets only the variables that are named here or in the settings. */

type Variables = Readonly<Record<string, string | undefined>>;

/** What programs need to run at all, and where the user's tools are. `*` stands for anything. */
const COMMON = `
  PATH HOME USER LOGNAME SHELL EMAIL LANG LANGUAGE LC_* TERM COLORTERM NO_COLOR TZ TMPDIR TEMP TMP CI XDG_*
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  GIT_AUTHOR_* GIT_COMMITTER_* GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
  NVM_DIR FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME PLAYWRIGHT_BROWSERS_PATH
  PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT GEM_HOME GOPATH GOROOT GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME
  JAVA_HOME GRADLE_USER_HOME ANDROID_HOME ASDF_DIR ASDF_DATA_DIR SDKMAN_DIR NIX_PATH NIX_PROFILES HOMEBREW_PREFIX
  SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86)
  USERPROFILE HOMEDRIVE HOMEPATH USERNAME OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
`;

const PROVIDERS =
  "ANTHROPIC_* OPENAI_* GEMINI_* GOOGLE_* OPENROUTER_* MISTRAL_* DEEPSEEK_* GROQ_* XAI_* AZURE_OPENAI_* OLLAMA_*";

/** Each agent's own settings and keys. */
const OWN: Readonly<Record<string, string>> = {
  claude:
    "ANTHROPIC_* CLAUDE_* API_TIMEOUT_MS BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS MAX_THINKING_TOKENS DISABLE_TELEMETRY DISABLE_AUTOUPDATER",
  codex: "OPENAI_* CODEX_* AZURE_OPENAI_*",
  gemini: "GEMINI_* GOOGLE_* CODE_ASSIST_ENDPOINT",
  qwen: "QWEN_* DASHSCOPE_* BAILIAN_* OPENAI_*",
  opencode: `OPENCODE_* ${PROVIDERS}`,
  copilot: "COPILOT_* GH_TOKEN GITHUB_TOKEN GH_HOST",
};

/** Claude can use models in a cloud, if one of these variables says so. */
const CLOUDS: Readonly<Record<string, string>> = {
  CLAUDE_CODE_USE_BEDROCK: "AWS_*",
  CLAUDE_CODE_USE_VERTEX: "GOOGLE_* CLOUD_ML_REGION VERTEX_*",
};

/**
 * Variables that clients set for the programs they start. If we run inside a client, our agents must not think they
 * belong to it: some refuse to start, others take over its session.
 */
const MARKS = `
  CLAUDECODE AI_AGENT CLAUDE_SESSION_ID CLAUDE_PROJECT_DIR CLAUDE_ENV_FILE CLAUDE_PLUGIN_* CLAUDE_PID
  CLAUDE_CODE_SESSION_ID CLAUDE_CODE_EXECPATH CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_CHILD_SESSION
  CLAUDE_CODE_SESSION_ACCESS_TOKEN CLAUDE_CODE_REMOTE* CLAUDE_CODE_STOP_HOOK_BLOCK_CAP CLAUDE_CODE_TMPDIR
  CODEX_TOOL_CALL_ID CODEX_THREAD_ID CODEX_SESSION_ID CODEX_CI CODEX_SANDBOX* CODEX_INTERNAL_*
  GEMINI_CLI GEMINI_SESSION_ID GEMINI_PROJECT_DIR GEMINI_CWD
  QWEN_CODE QWEN_CODE_SESSION_ID QWEN_PROJECT_DIR
  OPENCODE OPENCODE_SESSION_ID OPENCODE_PID OPENCODE_PROCESS_ROLE OPENCODE_RUN_ID
  COPILOT_CLI COPILOT_AGENT_SESSION_ID COPILOT_PROJECT_DIR
  SMART_RALPH_*
`;

/** Without an agent: what every program may have, and no keys. */
export function planAgentEnvironment(
  agent: string | undefined,
  env: Variables,
  more: readonly string[] = [],
): Record<string, string> {
  const clouds = agent === "claude" ? Object.keys(CLOUDS).filter((name) => env[name]) : [];
  const allowed = matcher([
    COMMON,
    // We assume that the variables of an agent from the settings begin with its name, as other agents' do.
    agent === undefined ? "" : (OWN[agent] ?? `${agent.replaceAll("-", "_")}_*`),
    ...clouds.map((name) => CLOUDS[name] ?? ""),
    ...more,
  ]);
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] =>
        pair[1] !== undefined && allowed.test(pair[0]) && !IS_MARK.test(pair[0]),
    ),
  );
}

/** Case does not matter: on Windows `Path` is `PATH`, and proxies are written either way. */
const matcher = (names: readonly string[]): RegExp =>
  new RegExp(
    `^(?:${names
      .flatMap((list) => list.split(/\s+/))
      .filter((name) => name !== "")
      .map((name) => name.replace(/[^\w*]/g, "\\$&").replaceAll("*", ".*"))
      .join("|")})$`,
    "i",
  );

const IS_MARK = matcher([MARKS]);

import { expect, it } from "vitest";
import { planAgentEnvironment } from "./environment.ts";

const AGENTS = ["claude", "codex", "gemini", "qwen", "opencode", "copilot", "kimi"];

/** The agents that get a variable. */
const whoGets = (name: string, more: Record<string, string> = {}): string =>
  AGENTS.filter((agent) => name in planAgentEnvironment(agent, { [name]: "x", ...more })).join(" ");

it.each([
  ...`PATH Path HOME USER SHELL LANG LC_ALL TERM TZ TMPDIR XDG_CONFIG_HOME https_proxy HTTPS_PROXY NO_PROXY
  SSL_CERT_FILE NODE_EXTRA_CA_CERTS GIT_AUTHOR_NAME CARGO_HOME ProgramFiles(x86) SystemRoot`
    .split(/\s+/)
    .map((name) => [name, AGENTS.join(" ")]),
  // Keys go to their own agent, and to agents that can use every service.
  ["ANTHROPIC_API_KEY", "claude opencode"],
  ["CLAUDE_CODE_OAUTH_TOKEN", "claude"],
  ["CLAUDE_CONFIG_DIR", "claude"],
  ["OPENAI_API_KEY", "codex qwen opencode"],
  ["CODEX_HOME", "codex"],
  ["GEMINI_API_KEY", "gemini opencode"],
  ["GOOGLE_CLOUD_PROJECT", "gemini opencode"],
  ["DASHSCOPE_API_KEY", "qwen"],
  ["OPENCODE_CONFIG", "opencode"],
  ["GH_TOKEN", "copilot"],
  ["GITHUB_TOKEN", "copilot"],
  ["COPILOT_GITHUB_TOKEN", "copilot"],
  ["KIMI_API_KEY", "kimi"],
  // Nobody gets these.
  ...`AWS_SECRET_ACCESS_KEY NPM_TOKEN SSH_AUTH_SOCK DATABASE_URL KUBECONFIG DOCKER_HOST LD_PRELOAD NODE_OPTIONS
  BASH_ENV GIT_DIR GIT_CONFIG_COUNT MY_PATH PATHS XLC_ALL CLAUDECODE AI_AGENT CLAUDE_CODE_SESSION_ID
  CLAUDE_CODE_ENTRYPOINT CLAUDE_PLUGIN_ROOT CODEX_THREAD_ID CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI
  QWEN_CODE OPENCODE OPENCODE_SESSION_ID COPILOT_AGENT_SESSION_ID SMART_RALPH_DRIVEN`
    .split(/\s+/)
    .map((name) => [name, ""]),
])("%s goes to: %s", (name, who) => {
  expect(whoGets(name as string)).toBe(who);
});

it("cloud credentials go to Claude if it is set to use that cloud", () => {
  expect(whoGets("AWS_PROFILE", { CLAUDE_CODE_USE_BEDROCK: "1" })).toBe("claude");
  expect(whoGets("AWS_PROFILE", { CLAUDE_CODE_USE_BEDROCK: "" })).toBe("");
  expect(whoGets("CLOUD_ML_REGION", { CLAUDE_CODE_USE_VERTEX: "1" })).toBe("claude");
});

it("the settings can name more, but no mark of a client", () => {
  const env = { NPM_TOKEN: "a", AWS_REGION: "b", AWSX: "c", CLAUDECODE: "1", OTHER: "d" };
  expect(planAgentEnvironment("codex", env, ["NPM_TOKEN", "AWS_*", "CLAUDECODE"])).toEqual({
    NPM_TOKEN: "a",
    AWS_REGION: "b",
  });
});

/** What an agent keeps of its own in the user's home: a sandbox lets it write there. */
export interface AgentFolders {
  readonly writable: readonly string[];
  /** Inside of those: what would make the agent, or the user's own sessions with it, do something else. */
  readonly readOnly: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

interface Own {
  /** The variable that names the folder, if it is not the usual one. */
  readonly variable?: string;
  readonly folder: string;
  readonly kept: string;
  /** Files and folders elsewhere in the home. */
  readonly more?: string;
}

const OWN: Readonly<Record<string, Own>> = {
  claude: {
    variable: "CLAUDE_CONFIG_DIR",
    folder: ".claude",
    kept: "settings.json settings.local.json CLAUDE.md plugins commands agents skills hooks",
    more: ".claude.json .cache/claude .local/state/claude",
  },
  codex: {
    variable: "CODEX_HOME",
    folder: ".codex",
    kept: "config.toml AGENTS.md hooks.json prompts skills rules",
  },
  gemini: {
    folder: ".gemini",
    kept: "settings.json GEMINI.md extensions commands policies hooks",
  },
  qwen: { folder: ".qwen", kept: "settings.json QWEN.md extensions commands skills hooks" },
  opencode: {
    folder: ".local/share/opencode",
    kept: "",
    more: ".local/state/opencode .cache/opencode",
  },
  copilot: {
    variable: "COPILOT_HOME",
    folder: ".copilot",
    kept: "mcp-config.json copilot-instructions.md hooks agents skills",
    more: ".cache/copilot",
  },
};

export function planAgentFolders(agent: string, env: Variables): AgentFolders {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  if (home === "") return { writable: [], readOnly: [] };
  const own: Own = Object.hasOwn(OWN, agent) ? (OWN[agent] as Own) : unknownAgent(agent);
  const stated = own.variable === undefined ? "" : (env[own.variable] ?? "");
  const folder = stated.startsWith("/") ? stated : `${home}/${own.folder}`;
  const below = (base: string, names = ""): string[] =>
    names
      .split(/\s+/)
      .filter((name) => name !== "")
      .map((name) => `${base}/${name}`);
  return {
    writable: [folder, ...below(home, own.more)],
    readOnly: below(folder, own.kept),
  };
}

/** One of the settings: the places where programs usually keep theirs. */
const unknownAgent = (agent: string): Own => ({
  folder: `.${agent}`,
  kept: "",
  more: ["config", "cache", "local/share", "local/state"]
    .map((base) => `.${base}/${agent}`)
    .join(" "),
});

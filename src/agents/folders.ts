/** Where an agent keeps its own files in the user's home: a sandbox lets it write there. */
export interface AgentFolders {
  readonly writable: readonly string[];
  /** Inside the writable folders: files that steer the agent, also in the user's own sessions with it. */
  readonly readOnly: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

interface Own {
  /** The variable that names another folder than the usual one. */
  readonly variable?: string;
  readonly folder: string;
  /** Read-only names in the folder. */
  readonly readOnly: string;
  /** Files and folders elsewhere in the home. */
  readonly elsewhere?: string;
}

const OWN: Readonly<Record<string, Own>> = {
  claude: {
    variable: "CLAUDE_CONFIG_DIR",
    folder: ".claude",
    readOnly: "settings.json settings.local.json CLAUDE.md plugins commands agents skills hooks",
    elsewhere: ".claude.json .cache/claude .local/state/claude",
  },
  codex: {
    variable: "CODEX_HOME",
    folder: ".codex",
    readOnly: "config.toml AGENTS.md hooks.json prompts skills rules",
  },
  gemini: {
    folder: ".gemini",
    readOnly: "settings.json GEMINI.md extensions commands policies hooks",
  },
  qwen: { folder: ".qwen", readOnly: "settings.json QWEN.md extensions commands skills hooks" },
  opencode: {
    folder: ".local/share/opencode",
    readOnly: "",
    elsewhere: ".local/state/opencode .cache/opencode",
  },
  copilot: {
    variable: "COPILOT_HOME",
    folder: ".copilot",
    readOnly: "mcp-config.json copilot-instructions.md hooks agents skills",
    elsewhere: ".cache/copilot",
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
    writable: [folder, ...below(home, own.elsewhere)],
    readOnly: below(folder, own.readOnly),
  };
}

/** For an agent from the settings: where programs usually keep their files. */
const unknownAgent = (agent: string): Own => ({
  folder: `.${agent}`,
  readOnly: "",
  elsewhere: ["config", "cache", "local/share", "local/state"]
    .map((base) => `.${base}/${agent}`)
    .join(" "),
});

import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { commandsOf } from "../claude/package.ts";
import { type GateWords, gateScript } from "../gate.ts";
import { type GeneratedFile, json } from "../generated.ts";
import { BEFORE_ARGUMENTS } from "./command-file.ts";
import commandTemplate from "./command.md";
import { FROM_HOOK } from "./wire.ts";

/** In the folder that Claude Code installs too, which has the bundles. */
const FOLDER = "copilot";

/** The client takes the marketplace that is Claude's, and in a plugin's folder this manifest before Claude's. */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] =>
  editions.flatMap(filesOf);

function filesOf(layout: Edition): GeneratedFile[] {
  const { plugin } = layout;
  const at = (path: string): string => `plugins/${plugin}/${path}`;
  return [
    { path: at(".github/plugin/plugin.json"), text: json(pluginManifest(layout)) },
    { path: at(`${FOLDER}/hooks.json`), text: json({ version: 1, hooks: hooks() }) },
    { path: at(`${FOLDER}/gate`), text: gateScript(layout, gateWords(layout)) },
    ...commandsOf(layout).map(({ name, description, hint }) => ({
      path: at(`${FOLDER}/commands/${name}.md`),
      text: fill(commandTemplate, {
        plugin,
        description,
        hint: JSON.stringify(hint),
        before: BEFORE_ARGUMENTS,
      }),
    })),
  ];
}

const pluginManifest = ({ plugin, description }: Edition) => ({
  name: plugin,
  version: manifest.version,
  description,
  author: { name: "Smart Ralph contributors" },
  license: manifest.license,
  keywords: ["spec", "loop", "tasks", "stop-hook"],
  commands: `${FOLDER}/commands`,
  hooks: `${FOLDER}/hooks.json`,
  // Claude's are for its own sub-agents.
  agents: [],
});

/** In seconds. The first two run commands. */
const EVENTS = [
  ["Stop", "stop", 900],
  ["UserPromptSubmit", "prompt", 900],
  ["SessionStart", "session-start", 30],
  ["SessionEnd", "session-end", 30],
  ["ErrorOccurred", "stop-failure", 30],
] as const;

const hooks = () =>
  Object.fromEntries(
    EVENTS.map(([name, event, timeout]) => [name, [{ hooks: [hook(event, timeout)] }]]),
  );

/**
 * The client begins in the plugin's own folder. `command` keeps a missing file from ending the shell with code 2, which
 * would hold the agent.
 */
const hook = (event: string, timeout: number) => ({
  type: "command",
  command: `cd "$COPILOT_PROJECT_DIR"; set ${event}; command . "$COPILOT_PLUGIN_ROOT/${FOLDER}/gate"; :`,
  timeout,
});

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "copilot",
  root: "$COPILOT_PLUGIN_ROOT",
  startFolder: "${COPILOT_PROJECT_DIR:-$PWD}",
  tellsCommands: "",
  readPrompt: "head -c 4096",
  typed: [`/${plugin}:`, `The user explicitly invoked the \\"/${plugin}:`]
    .map((start) => `*'"prompt":"${start}'*`)
    .join(" | "),
  // Prompts of sub-agents, and our own continuations.
  others: `*'"agent_id":'* | *'"prompt":"${FROM_HOOK.trimEnd()}'*) exit 0 ;;\n      *) has_run || exit 0 ;;`,
});

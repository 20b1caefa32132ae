import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { commandsOf } from "../commands.ts";
import {
  type GateWords,
  type GeneratedFile,
  gateScript,
  hooksFor,
  json,
  pluginManifest,
  sourceGate,
} from "../package-files.ts";
import commandTemplate from "./command.md";
import { BEFORE_ARGUMENTS, FROM_HOOK } from "./wire.ts";

/** In the folder that Claude Code installs too, which has the bundles. */
const FOLDER = "copilot";

/** The client takes the marketplace that is Claude's, and in a plugin's folder this manifest before Claude's. */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] =>
  editions.flatMap(filesOf);

function filesOf(layout: Edition): GeneratedFile[] {
  const { plugin } = layout;
  const at = (path: string): string => `plugins/${plugin}/${path}`;
  const introduced = pluginManifest(layout, {
    commands: `${FOLDER}/commands`,
    hooks: `${FOLDER}/hooks.json`,
    // Claude's are for its own sub-agents.
    agents: [],
  });
  return [
    { path: at(".github/plugin/plugin.json"), text: json(introduced) },
    {
      path: at(`${FOLDER}/hooks.json`),
      text: json({ version: 1, hooks: hooksFor(EVENTS, hooks) }),
    },
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

/** In seconds. The first two run commands. */
const EVENTS = [
  ["Stop", "stop", 900],
  ["UserPromptSubmit", "prompt", 900],
  ["SessionStart", "session-start", 30],
  ["SessionEnd", "session-end", 30],
  ["ErrorOccurred", "stop-failure", 30],
] as const;

/** The client begins in the plugin's own folder. */
const hooks = (event: string, timeout: number) => [
  {
    type: "command",
    command: `cd "$COPILOT_PROJECT_DIR"; ${sourceGate(event, `$COPILOT_PLUGIN_ROOT/${FOLDER}/gate`)}`,
    timeout,
  },
];

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "copilot",
  root: "$COPILOT_PLUGIN_ROOT",
  startFolder: "${COPILOT_PROJECT_DIR:-$PWD}",
  typed: [`/${plugin}:`, `The user explicitly invoked the \\"/${plugin}:`]
    .map((start) => `*'"prompt":"${start}'*`)
    .join(" | "),
  // Prompts of sub-agents, and our own continuations.
  others: `*'"agent_id":'* | *'"prompt":"${FROM_HOOK.trimEnd()}'*) exit 0 ;;\n      *) has_run || exit 0 ;;`,
});

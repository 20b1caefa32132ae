import { readFileSync } from "node:fs";
import manifest from "../../../package.json" with { type: "json" };
import { layouts } from "../../layouts/all.ts";
import type { Edition } from "../../layouts/layout.ts";
import { stateSchema } from "../../run/state.ts";
import { fill } from "../../text/template.ts";
import { commandFiles, commandTable, readSource, sources, wordsOf } from "../commands.ts";
import {
  AUTHOR,
  type GateWords,
  type GeneratedFile,
  gateScript,
  json,
  pluginManifest,
  sourceGate,
} from "../package-files.ts";

const gateWords = ({ plugin }: Edition): GateWords => ({
  root: "$CLAUDE_PLUGIN_ROOT",
  startFolder: "${CLAUDE_PROJECT_DIR:-$PWD}",
  tellsCommands: "$AI_AGENT",
  typed: `*'"prompt":"/${plugin}:'* | *'"prompt": "/${plugin}:'*`,
});

/**
 * Each of these costs a sub-agent tokens in every call, and none helps with one task or document. What is not named stays: the
 * user's own tools too.
 */
const NOT_FOR_AGENTS = [
  "Agent",
  "Task",
  "Workflow",
  "Skill",
  "ListAgents",
  "ReportFindings",
  "ScheduleWakeup",
  "SendMessage",
  "CronCreate",
  "CronDelete",
  "CronList",
  "EnterWorktree",
  "ExitWorktree",
  "EnterPlanMode",
  "ExitPlanMode",
  "AskUserQuestion",
];

/** The plugins, and the marketplace that lists them. */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  marketplaceFile(),
  ...editions.flatMap(pluginFiles),
];

/** Everything in a plugin folder besides its bundles, for one layout. */
export function pluginFiles(layout: Edition): GeneratedFile[] {
  const words = wordsOf(layout);
  const at = (path: string): string => `plugins/${layout.plugin}/${path}`;
  const commands = commandFiles(layout);
  const table = commandTable(layout, commands);
  const introduced = pluginManifest(layout, { hooks: "./hooks/expansion.json" });
  return [
    { path: at(".claude-plugin/plugin.json"), text: json(introduced) },
    { path: at("hooks/hooks.json"), text: json(hooks(layout)) },
    { path: at("hooks/expansion.json"), text: json(expansionHooks(layout)) },
    { path: at("hooks/gate"), text: gateScript(layout, gateWords(layout)) },
    { path: at(`bin/${layout.plugin}`), text: fill(readSource("bin.sh"), words), executable: true },
    {
      path: at("README.md"),
      text: fill(readSource("README.md"), { ...words, commandTable: table }),
    },
    { path: at("LICENSE"), text: readFileSync("LICENSE", "utf8") },
    { path: at(`schemas/${schemaName(layout)}`), text: json(stateSchema()) },
    ...commands.map(({ name, text }) => ({
      path: at(`commands/${name}`),
      text: text.replace("{{commandTable}}", () => table),
    })),
    ...sources(layout, "src/prompts/agents").map(({ name, text }) => ({
      path: at(`agents/${name}`),
      text: fill(text, { ...words, notForAgents: NOT_FOR_AGENTS.join(", ") }),
    })),
  ];
}

/** Named after the state file, as in older versions: `speckit-state.schema.json`. */
const schemaName = ({ stateFile }: Edition): string =>
  stateFile.replace(/^\./, "").replace(/\.json$/, ".schema.json");

export const marketplaceFile = (): GeneratedFile => ({
  path: ".claude-plugin/marketplace.json",
  text: json({
    name: "smart-ralph",
    description: "Plugins that work through a written spec until every task is done and proven.",
    owner: AUTHOR,
    plugins: layouts.map((layout) => ({
      name: layout.plugin,
      source: `./plugins/${layout.plugin}`,
      description: layout.description,
      version: manifest.version,
      license: manifest.license,
      category: "workflow",
    })),
  }),
});

const hook = (event: string, timeout = 30, matcher?: string, only?: string) => [
  {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [
      {
        type: "command",
        ...(only === undefined ? {} : { if: only }),
        command: sourceGate(event, "${CLAUDE_PLUGIN_ROOT}/hooks/gate"),
        timeout,
      },
    ],
  },
];

const hooks = ({ plugin }: Edition) => ({
  description: "Hands out the next task at the end of a turn, until all are done",
  hooks: {
    // Usually a few milliseconds; boxes that were ticked by hand are checked with their Verify.
    Stop: hook("stop", 900),
    // This one runs the task's Verify.
    SubagentStop: hook("subagent-stop", 900),
    StopFailure: hook("stop-failure"),
    SessionEnd: hook("session-end"),
    SessionStart: hook("session-start"),
    // The end of an agent in the background comes this way too.
    UserPromptSubmit: hook("prompt", 900),
    PreToolUse: [
      // Nobody is there to answer in quick mode.
      ...hook("question", 30, "AskUserQuestion"),
      // The client itself looks whether it is about us: no other command costs anything.
      ...hook("permission", 30, "Bash", `Bash(${plugin}:*)`),
      // Earlier clients called the tool Task.
      ...hook("delegate", 30, "Agent|Task"),
    ],
    PostToolUse: hook("return", 900, "Agent|Task"),
  },
});

/**
 * In a separate file, which the manifest names: clients that do not know the event reject the whole file. The event
 * comes before the command file runs, and reports what the user typed.
 */
const expansionHooks = ({ plugin }: Edition) => ({
  description: "Notes what the user typed after a slash command, so that no shell ever sees it",
  hooks: { UserPromptExpansion: hook("expansion", 30, `${plugin}:.*`) },
});

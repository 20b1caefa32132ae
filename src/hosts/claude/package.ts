import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { layouts } from "../../layouts/all.ts";
import type { Edition } from "../../layouts/layout.ts";
import { layoutWords } from "../../prompts/layout-words.ts";
import { stateSchema } from "../../run/state.ts";
import { fill, type Values } from "../../text/template.ts";
import { PHASE_VERBS, RUN_VERBS } from "../agent-verbs.ts";
import { type GateWords, gateScript } from "../gate.ts";
import { type GeneratedFile, json } from "../generated.ts";
import { NOT_FOR_AGENTS } from "./agent-tools.ts";

const SOURCE = "src/hosts/claude/plugin";
const gateWords = ({ plugin }: Edition): GateWords => ({
  root: "$CLAUDE_PLUGIN_ROOT",
  startFolder: "${CLAUDE_PROJECT_DIR:-$PWD}",
  tellsCommands: "$AI_AGENT",
  readPrompt: "head -c 4096",
  typed: `*'"prompt":"/${plugin}:'* | *'"prompt": "/${plugin}:'*`,
});
const AUTHOR = { name: "Smart Ralph contributors" };

/** The plugins, and the marketplace that lists them. */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  marketplaceFile(),
  ...editions.flatMap(pluginFiles),
];

/** Everything in a plugin folder besides its bundles, for one layout. */
export function pluginFiles(layout: Edition): GeneratedFile[] {
  const words = wordsOf(layout);
  const at = (path: string): string => `plugins/${layout.plugin}/${path}`;
  const commands = commandFiles(layout, words);
  const table = commandTable(layout, commands);
  const agents = sources(layout, "src/prompts/agents").map(({ name, text }) => ({
    name,
    text: fill(text, words),
  }));
  return [
    { path: at(".claude-plugin/plugin.json"), text: json(pluginManifest(layout)) },
    { path: at("hooks/hooks.json"), text: json(hooks(layout)) },
    { path: at("hooks/expansion.json"), text: json(expansionHooks(layout)) },
    { path: at("hooks/gate"), text: gateScript(layout, gateWords(layout)) },
    { path: at(`bin/${layout.plugin}`), text: fill(read("bin.sh"), words), executable: true },
    { path: at("README.md"), text: fill(read("README.md"), { ...words, commandTable: table }) },
    { path: at("LICENSE"), text: readFileSync("LICENSE", "utf8") },
    { path: at(`schemas/${schemaName(layout)}`), text: json(stateSchema()) },
    ...commands.map(({ name, text }) => ({
      path: at(`commands/${name}`),
      text: text.replace("{{commandTable}}", () => table),
    })),
    ...agents.map(({ name, text }) => ({ path: at(`agents/${name}`), text })),
  ];
}

/** Named after the state file, as in older versions: `speckit-state.schema.json`. */
const schemaName = ({ stateFile }: Edition): string =>
  stateFile.replace(/^\./, "").replace(/\.json$/, ".schema.json");

interface Source {
  readonly name: string;
  readonly text: string;
}

/** Files for both plugins, and those in the layout's folder for this one only. */
const sources = (layout: Edition, folder: string): Source[] =>
  [folder, `${folder}/${layout.id}`].flatMap((from) =>
    (existsSync(from) ? readdirSync(from) : [])
      .filter((name) => name.endsWith(".md"))
      .map((name) => ({ name, text: readFileSync(join(from, name), "utf8") })),
  );

/** Each phase has a command; they differ in only a few words. */
function commandFiles(layout: Edition, words: Values): Source[] {
  const table = { commandTable: "{{commandTable}}" };
  const written = sources(layout, `${SOURCE}/commands`).map(({ name, text }) => ({
    name,
    text: fill(text, { ...words, ...table }),
  }));
  const phases = layout.phases.map(({ name, document }) => ({
    name: `${name}.md`,
    text: fill(read("phase.md"), { ...words, phase: name, document }),
  }));
  return [...written, ...phases].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What users type, as a table. */
export const slashCommands = (layout: Edition): string =>
  commandTable(layout, commandFiles(layout, wordsOf(layout)));

/** What users can type, for clients that have their own kind of command file. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** What may follow it: `[spec]`. */
  readonly hint: string;
}

export const commandsOf = (layout: Edition): Command[] =>
  commandFiles(layout, wordsOf(layout)).map(({ name, text }) => ({
    name: name.replace(".md", ""),
    description: frontMatter(text, "description"),
    hint: frontMatter(text, "argument-hint").replace(/^"(.*)"$/, "$1"),
  }));

/** For people: in the order they need them. */
function commandTable(layout: Edition, files: readonly Source[]): string {
  const order = [
    "start",
    "new",
    "constitution",
    ...layout.phases.map(({ name }) => name),
    "implement",
  ];
  const rank = (name: string): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  const rows = files
    .map(({ name, text }) => ({
      name: name.replace(".md", ""),
      says: frontMatter(text, "description"),
    }))
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map(({ name, says }) => `| \`${layout.voice.command(name)}\` | ${says} |`);
  return ["| type | what happens |", "|---|---|", ...rows].join("\n");
}

const frontMatter = (text: string, key: string): string =>
  new RegExp(`^${key}: (.*)$`, "m").exec(text)?.[1] ?? "";

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

/**
 * Sourced, not run: a second shell would cost a millisecond. `command` keeps a missing file from ending the shell with
 * code 2, which would hold the agent. The line is short because the client shows it to the model with every
 * continuation.
 */
const hook = (event: string, timeout = 30, matcher?: string, only?: string) => [
  {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [
      {
        type: "command",
        ...(only === undefined ? {} : { if: only }),
        command: `set ${event}; command . "\${CLAUDE_PLUGIN_ROOT}/hooks/gate"; :`,
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

const pluginManifest = (layout: Edition) => ({
  name: layout.plugin,
  version: manifest.version,
  description: layout.description,
  author: AUTHOR,
  license: manifest.license,
  keywords: ["spec", "loop", "tasks", "stop-hook"],
  hooks: "./hooks/expansion.json",
});

const toolsFor = ({ plugin }: Edition, verbs: readonly string[]): string =>
  verbs.map((verb) => `Bash(${plugin} ${verb}:*)`).join(", ");

const wordsOf = (layout: Edition): Values => ({
  ...layoutWords(layout),
  repository: manifest.homepage,
  despite: layout.checklists === undefined ? "" : " [--despite-checklists]",
  notForAgents: NOT_FOR_AGENTS.join(", "),
  phaseTools: toolsFor(layout, PHASE_VERBS),
  runTools: toolsFor(layout, RUN_VERBS),
});

const read = (path: string): string => readFileSync(join(SOURCE, path), "utf8");

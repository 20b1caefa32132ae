import { readFileSync } from "node:fs";
import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { type Command, commandsOf } from "../claude/package.ts";
import { type GateWords, gateScript } from "../gate.ts";
import { type GeneratedFile, json } from "../generated.ts";

/** In the folder that Claude Code installs too, which has the bundles; Claude Code looks at none of these. */
const FOLDER = "codex";

export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] =>
  editions.flatMap(pluginFiles);

function pluginFiles(layout: Edition): GeneratedFile[] {
  const at = (path: string): string => `plugins/${layout.plugin}/${path}`;
  const skill = readFileSync("src/hosts/codex/skill.md", "utf8");
  return [
    { path: at(".codex-plugin/plugin.json"), text: json(pluginManifest(layout)) },
    { path: at(`${FOLDER}/hooks.json`), text: json(hooks(layout)) },
    { path: at(`${FOLDER}/gate`), text: gateScript(layout, gateWords(layout)) },
    ...commandsOf(layout).flatMap((command) => [
      {
        path: at(`${FOLDER}/skills/${command.name}/SKILL.md`),
        text: fill(skill, { name: command.name, description: JSON.stringify(command.description) }),
      },
      {
        path: at(`${FOLDER}/skills/${command.name}/agents/openai.yaml`),
        text: skillPolicy(command),
      },
    ]),
  ];
}

/**
 * Where both manifests are in a folder, the client takes this one. Without `commands` it would make skills of Claude's
 * command files.
 */
const pluginManifest = ({ plugin, description }: Edition) => ({
  name: plugin,
  version: manifest.version,
  description,
  author: { name: "Smart Ralph contributors" },
  homepage: manifest.homepage,
  license: manifest.license,
  keywords: ["spec", "loop", "tasks", "stop-hook"],
  skills: `./${FOLDER}/skills/`,
  hooks: `./${FOLDER}/hooks.json`,
  commands: [],
});

/** Only the user's own mention makes the hook run a command, so the model need not know the list: it costs no tokens. */
const skillPolicy = ({ description, hint }: Command): string =>
  [
    "interface:",
    `  short_description: ${JSON.stringify(`${description} ${hint}`.trim())}`,
    "policy:",
    "  allow_implicit_invocation: false",
    "",
  ].join("\n");

/** The client cuts the hooks of a session's end, and of Escape, off after three seconds. */
const SHORT = 3;

const hooks = (layout: Edition) => ({
  description: "Hands out the next task at the end of a turn, until all are done",
  hooks: {
    Stop: hook(layout, "stop", { timeout: 900 }),
    // Runs the command that the user typed. The client would cut what it says after 10,000 bytes.
    UserPromptSubmit: hook(layout, "prompt", { timeout: 900, additionalContextLimit: 0 }),
    SessionStart: hook(layout, "session-start", { timeout: 30 }),
    SessionEnd: hook(layout, "session-end", { timeout: SHORT }),
    Interrupt: hook(layout, "interrupt", { timeout: SHORT }),
  },
});

/**
 * The client uses the user's own shell, which need not be a POSIX one, and on Windows there may be none. An exit code of
 * 2, with which a shell says that a file is missing, would hold the agent.
 */
const hook = (
  { id }: Edition,
  event: string,
  limits: { timeout: number; additionalContextLimit?: number },
) => [
  {
    hooks: [
      {
        type: "command",
        command: `sh "\${PLUGIN_ROOT}/${FOLDER}/gate" ${event} || exit 0`,
        commandWindows: `node "\${PLUGIN_ROOT}/dist/hook.cjs" ${id} ${event} codex || exit 0`,
        ...limits,
      },
    ],
  },
];

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "codex",
  root: "$PLUGIN_ROOT",
  startFolder: "$PWD",
  tellsCommands: "",
  readPrompt: "head -c 4096",
  typed: ["$", "/", "[$"].map((sign) => `*'"prompt":"${sign}${plugin}:'*`).join(" | "),
});

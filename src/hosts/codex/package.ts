import { readFileSync } from "node:fs";
import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { type Command, commandsOf } from "../commands.ts";
import {
  type GateWords,
  type GeneratedFile,
  gateScript,
  hooksFor,
  json,
  pluginManifest,
} from "../package-files.ts";

/** In the folder that Claude Code installs too, which has the bundles; Claude Code looks at none of these. */
const FOLDER = "codex";

export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] =>
  editions.flatMap(pluginFiles);

function pluginFiles(layout: Edition): GeneratedFile[] {
  const at = (path: string): string => `plugins/${layout.plugin}/${path}`;
  const skill = readFileSync("src/hosts/codex/skill.md", "utf8");
  return [
    { path: at(".codex-plugin/plugin.json"), text: json(introduced(layout)) },
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
const introduced = (layout: Edition) =>
  pluginManifest(
    layout,
    { skills: `./${FOLDER}/skills/`, hooks: `./${FOLDER}/hooks.json`, commands: [] },
    { homepage: manifest.homepage },
  );

/** Only the user's own mention makes the hook run a command, so the model need not know the list: it costs no tokens. */
const skillPolicy = ({ description, hint }: Command): string => `\
interface:
  short_description: ${JSON.stringify(`${description} ${hint}`.trim())}
policy:
  allow_implicit_invocation: false
`;

/** In seconds. The client cuts the hooks of a session's end, and of Escape, off after three. */
const EVENTS = [
  ["Stop", "stop", 900],
  // Runs the command that the user typed.
  ["UserPromptSubmit", "prompt", 900],
  ["SessionStart", "session-start", 30],
  ["SessionEnd", "session-end", 3],
  ["Interrupt", "interrupt", 3],
] as const;

/**
 * The client uses the user's own shell, which need not be a POSIX one, and on Windows there may be none. An exit code of
 * 2, with which a shell says that a file is missing, would hold the agent.
 */
const hooks = ({ id }: Edition) => ({
  description: "Hands out the next task at the end of a turn, until all are done",
  hooks: hooksFor(EVENTS, (event, timeout) => [
    {
      type: "command",
      command: `sh "\${PLUGIN_ROOT}/${FOLDER}/gate" ${event} || exit 0`,
      commandWindows: `node "\${PLUGIN_ROOT}/dist/hook.cjs" ${id} ${event} codex || exit 0`,
      timeout,
      // The client would cut what the command says after 10,000 bytes.
      ...(event === "prompt" ? { additionalContextLimit: 0 } : {}),
    },
  ]),
});

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "codex",
  root: "$PLUGIN_ROOT",
  startFolder: "$PWD",
  typed: ["$", "/", "[$"].map((sign) => `*'"prompt":"${sign}${plugin}:'*`).join(" | "),
});

import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { commandsOf } from "../claude/package.ts";
import { type GateWords, gateScript } from "../gate.ts";
import { type GeneratedFile, json } from "../generated.ts";
import { EXTENSION } from "./client-settings.ts";
import commandTemplate from "./command.md";

/**
 * One extension for all layouts, at the root of the repository. In a plugin's folder the client would take Claude's
 * agents for its own; and without this manifest it takes the one that is for Gemini CLI.
 */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  { path: "qwen-extension.json", text: json(extension(editions)) },
  ...editions.flatMap(filesOf),
];

const folderOf = ({ plugin }: Edition): string => `plugins/${plugin}/qwen`;
const commandsIn = (layout: Edition): string => `${folderOf(layout)}/commands`;

function filesOf(layout: Edition): GeneratedFile[] {
  const { plugin } = layout;
  return [
    { path: `${folderOf(layout)}/gate`, text: gateScript(layout, gateWords(layout)) },
    // The client makes the command's name of the path: `/ralph-specum:implement`.
    ...commandsOf(layout).map(({ name, description, hint }) => ({
      path: `${commandsIn(layout)}/${plugin}/${name}.md`,
      text: fill(commandTemplate, { plugin, description, hint: JSON.stringify(hint) }),
    })),
  ];
}

/** In seconds: from 1000 on the client takes them for milliseconds. The first two run commands. */
const EVENTS = [
  ["Stop", "stop", 900],
  ["UserPromptSubmit", "prompt", 900],
  ["SessionStart", "session-start", 30],
  ["SessionEnd", "session-end", 30],
  ["StopFailure", "stop-failure", 30],
] as const;

const extension = (editions: readonly Edition[]) => ({
  name: EXTENSION,
  version: manifest.version,
  description: manifest.description,
  commands: editions.map(commandsIn),
  hooks: Object.fromEntries(
    EVENTS.map(([name, event, timeout]) => [
      name,
      [{ hooks: editions.map((layout) => hook(layout, event, timeout)) }],
    ]),
  ),
});

/** `command` keeps a missing file from ending the shell with code 2, which would hold the agent. */
const hook = (layout: Edition, event: string, timeout: number) => ({
  type: "command",
  name: `${layout.plugin} ${event}`,
  command: `set ${event} "\${CLAUDE_PLUGIN_ROOT}/plugins/${layout.plugin}"; command . "\${CLAUDE_PLUGIN_ROOT}/${folderOf(layout)}/gate"; :`,
  timeout,
});

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "qwen",
  // The client fills in the path where it runs a hook; there is no variable of that name.
  root: "$2",
  startFolder: "${QWEN_PROJECT_DIR:-$PWD}",
  tellsCommands: "",
  // What was typed comes after the whole prompt.
  readPrompt: "cat",
  typed: `*'"submitted_prompt":"/${plugin}:'*`,
  // The event comes after each tool too, and with each continuation.
  others: `*'"submitted_prompt":'*) has_run || exit 0 ;;\n      *) exit 0 ;;`,
});

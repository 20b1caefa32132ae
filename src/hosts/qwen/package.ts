import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { fill } from "../../text/template.ts";
import { commandsOf } from "../commands.ts";
import { EXTENSION } from "../extension.ts";
import {
  extensionHooks,
  type GateWords,
  type GeneratedFile,
  gateScript,
  json,
} from "../package-files.ts";
import commandTemplate from "./command.md";

/**
 * One extension for all layouts, at the root of the repository. In a plugin's folder the client would take Claude's
 * agents for its own; and without this manifest it takes the one that is for Gemini CLI.
 */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  {
    path: "qwen-extension.json",
    text: json({
      name: EXTENSION,
      version: manifest.version,
      description: manifest.description,
      commands: editions.map(commandsIn),
      hooks: extensionHooks(editions, EVENTS, "${CLAUDE_PLUGIN_ROOT}", gateOf),
    }),
  },
  ...editions.flatMap((layout) => [
    { path: gateOf(layout), text: gateScript(layout, gateWords(layout)) },
    // The client makes the command's name of the path: `/ralph-specum:implement`.
    ...commandsOf(layout).map(({ name, description, hint }) => ({
      path: `${commandsIn(layout)}/${layout.plugin}/${name}.md`,
      text: fill(commandTemplate, {
        plugin: layout.plugin,
        description,
        hint: JSON.stringify(hint),
      }),
    })),
  ]),
];

const gateOf = ({ plugin }: Edition): string => `plugins/${plugin}/qwen/gate`;
const commandsIn = ({ plugin }: Edition): string => `plugins/${plugin}/qwen/commands`;

/** In seconds: from 1000 on the client takes them for milliseconds. The first two run commands. */
const EVENTS = [
  ["Stop", "stop", 900],
  ["UserPromptSubmit", "prompt", 900],
  ["SessionStart", "session-start", 30],
  ["SessionEnd", "session-end", 30],
  ["StopFailure", "stop-failure", 30],
] as const;

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "qwen",
  // The client fills in the path where it runs a hook; there is no variable of that name.
  root: "$2",
  startFolder: "${QWEN_PROJECT_DIR:-$PWD}",
  // What was typed comes after the whole prompt.
  readPrompt: "cat",
  typed: `*'"submitted_prompt":"/${plugin}:'*`,
  // The event comes after each tool too, and with each continuation.
  others: `*'"submitted_prompt":'*) has_run || exit 0 ;;\n      *) exit 0 ;;`,
});

import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { type Command, commandsOf } from "../claude/package.ts";
import { type GateWords, gateScript } from "../gate.ts";
import { type GeneratedFile, json } from "../generated.ts";
import { commandText } from "./command-text.ts";
import { EXTENSION, hookName } from "./names.ts";

/**
 * One extension for all layouts, at the root of the repository: the client installs whole repositories, and the folders
 * that it looks into have fixed names.
 */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  { path: "gemini-extension.json", text: json(extension) },
  { path: "hooks/hooks.json", text: json({ hooks: hooks(editions) }) },
  ...editions.flatMap((layout) => [
    { path: gateOf(layout), text: gateScript(layout, gateWords(layout)) },
    ...commandsOf(layout).map((command) => ({
      path: `commands/${layout.plugin}/${command.name}.toml`,
      text: commandFile(layout, command),
    })),
  ]),
];

const extension = {
  name: EXTENSION,
  version: manifest.version,
  description: manifest.description,
};

/** TOML's strings may be written like those of JSON. */
const commandFile = ({ plugin }: Edition, { name, description }: Command): string =>
  [
    `description = ${JSON.stringify(description)}`,
    `prompt = """\n${commandText(plugin, name)}"""`,
    "",
  ].join("\n");

const gateOf = ({ id }: Edition): string => `hooks/${id}.gate`;

/** In milliseconds. The first two run commands: a task's Verify, and what the user typed. */
const EVENTS = [
  ["AfterAgent", "stop", 900_000],
  ["BeforeAgent", "prompt", 900_000],
  ["SessionStart", "session-start", 30_000],
  ["SessionEnd", "session-end", 30_000],
] as const;

const hooks = (editions: readonly Edition[]) =>
  Object.fromEntries(
    EVENTS.map(([name, event, timeout]) => [
      name,
      [{ hooks: editions.map((layout) => hook(layout, event, timeout)) }],
    ]),
  );

/**
 * The client fills in its own variables only. `command` keeps a missing file from ending the shell with code 2, which
 * would hold the agent.
 */
const hook = (layout: Edition, event: string, timeout: number) => ({
  type: "command",
  name: hookName(layout.plugin, event),
  command: `set ${event} "\${extensionPath}/plugins/${layout.plugin}"; command . "\${extensionPath}/${gateOf(layout)}"; :`,
  timeout,
});

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "gemini",
  root: "$2",
  startFolder: "${GEMINI_PROJECT_DIR:-$PWD}",
  tellsCommands: "",
  readPrompt: "head -c 4096",
  // Another extension's words may come before what was typed.
  typed: `*'"prompt":"/${plugin}:'* | *'"prompt":"<hook_context>'*'/${plugin}:'*`,
});

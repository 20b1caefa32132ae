import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { commandsOf } from "../commands.ts";
import { EXTENSION } from "../extension.ts";
import {
  extensionHooks,
  type GateWords,
  type GeneratedFile,
  gateScript,
  json,
} from "../package-files.ts";
import { commandText } from "./wire.ts";

/**
 * One extension for all layouts, at the root of the repository: the client installs whole repositories, and the folders
 * that it looks into have fixed names.
 */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] => [
  {
    path: "gemini-extension.json",
    text: json({
      name: EXTENSION,
      version: manifest.version,
      description: manifest.description,
    }),
  },
  {
    path: "hooks/hooks.json",
    text: json({ hooks: extensionHooks(editions, EVENTS, "${extensionPath}", gateOf) }),
  },
  ...editions.flatMap((layout) => [
    { path: gateOf(layout), text: gateScript(layout, gateWords(layout)) },
    ...commandsOf(layout).map(({ name, description }) => ({
      path: `commands/${layout.plugin}/${name}.toml`,
      // TOML's strings may be written like those of JSON.
      text: `description = ${JSON.stringify(description)}\nprompt = """\n${commandText(layout.plugin, name)}"""\n`,
    })),
  ]),
];

const gateOf = ({ id }: Edition): string => `hooks/${id}.gate`;

/** In milliseconds. The first two run commands: a task's Verify, and what the user typed. */
const EVENTS = [
  ["AfterAgent", "stop", 900_000],
  ["BeforeAgent", "prompt", 900_000],
  ["SessionStart", "session-start", 30_000],
  ["SessionEnd", "session-end", 30_000],
] as const;

const gateWords = ({ plugin }: Edition): GateWords => ({
  host: "gemini",
  // The client fills in its own variables only.
  root: "$2",
  startFolder: "${GEMINI_PROJECT_DIR:-$PWD}",
  // Another extension's words may come before what was typed.
  typed: `*'"prompt":"/${plugin}:'* | *'"prompt":"<hook_context>'*'/${plugin}:'*`,
});

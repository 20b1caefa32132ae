import { readFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import type { Edition } from "../layouts/layout.ts";
import { layoutWords } from "../prompts/layout-words.ts";
import { fill } from "../text/template.ts";
import { hookName } from "./extension.ts";

/** A file in the repository that the build writes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const AUTHOR = { name: "Smart Ralph contributors" };

/** How a plugin of one layout introduces itself, in whichever client. */
export const pluginManifest = ({ plugin, description }: Edition, more: object, site?: object) => ({
  name: plugin,
  version: manifest.version,
  description,
  author: AUTHOR,
  ...site,
  license: manifest.license,
  keywords: ["spec", "loop", "tasks", "stop-hook"],
  ...more,
});

/** A client's name of an event, ours, and how long our hook may take, in the client's unit. */
export type HookEvent = readonly [name: string, event: string, timeout: number];

/** The hooks of a client, each with what it runs. */
export const hooksFor = (
  events: readonly HookEvent[],
  hooks: (event: string, timeout: number) => readonly object[],
) =>
  Object.fromEntries(
    events.map(([name, event, timeout]) => [name, [{ hooks: hooks(event, timeout) }]]),
  );

/**
 * What a shell runs at an event. Sourced, not run: a second shell would cost a millisecond. `command` keeps a missing file
 * from ending the shell with code 2, which would hold the agent. The line is short because a client may show it to the
 * model with every continuation.
 */
export const sourceGate = (set: string, gate: string): string =>
  `set ${set}; command . "${gate}"; :`;

/** The hooks of one extension for all layouts. `root` is the client's name for its folder. */
export const extensionHooks = (
  editions: readonly Edition[],
  events: readonly HookEvent[],
  root: string,
  gateOf: (layout: Edition) => string,
) =>
  hooksFor(events, (event, timeout) =>
    editions.map((layout) => ({
      type: "command",
      name: hookName(layout.plugin, event),
      command: sourceGate(
        `${event} "${root}/plugins/${layout.plugin}"`,
        `${root}/${gateOf(layout)}`,
      ),
      timeout,
    })),
  );

/** What differs between clients in the shell script that all their hooks run. Each is shell text. */
export interface GateWords {
  /** The client's name, unless it is the first one. */
  readonly host?: string;
  /** The folder with `dist`. */
  readonly root: string;
  /** Where the session was started. */
  readonly startFolder: string;
  /** Not empty if commands that the user types have an event of their own. */
  readonly tellsCommands?: string;
  /** Prints as much of the event as shows what was typed. */
  readonly readPrompt?: string;
  /** A pattern of `case` for events in which one of our commands was typed. */
  readonly typed: string;
  /** The lines of that `case` for every other prompt, if the client also reports some that nobody typed. */
  readonly others?: string;
}

/** As most clients have it. */
const USUAL = {
  tellsCommands: "",
  readPrompt: "head -c 4096",
  others: "*) has_run || exit 0 ;;",
};

export const gateScript = (layout: Edition, { host, ...words }: GateWords): string =>
  fill(readFileSync("src/hosts/gate.sh", "utf8"), {
    ...layoutWords(layout),
    host: host === undefined ? "" : ` ${host}`,
    ...USUAL,
    ...words,
  });

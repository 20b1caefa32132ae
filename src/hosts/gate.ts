import { readFileSync } from "node:fs";
import type { Edition } from "../layouts/layout.ts";
import { layoutWords } from "../prompts/layout-words.ts";
import { fill } from "../text/template.ts";

/** What differs between clients in the shell script that all their hooks run. Each is shell text. */
export interface GateWords {
  /** The client's name, unless it is the first one. */
  readonly host?: string;
  /** The folder with `dist`. */
  readonly root: string;
  /** Where the session was started. */
  readonly startFolder: string;
  /** Not empty if commands that the user types have an event of their own. */
  readonly tellsCommands: string;
  /** Prints as much of the event as shows what was typed. */
  readonly readPrompt: string;
  /** A pattern of `case` for events in which one of our commands was typed. */
  readonly typed: string;
  /** The lines of that `case` for every other prompt, if the client also reports some that nobody typed. */
  readonly others?: string;
}

const OTHERS = "*) has_run || exit 0 ;;";

export function gateScript(
  layout: Edition,
  { host, others = OTHERS, ...words }: GateWords,
): string {
  return fill(readFileSync("src/hosts/gate.sh", "utf8"), {
    ...layoutWords(layout),
    host: host === undefined ? "" : ` ${host}`,
    others,
    ...words,
  });
}

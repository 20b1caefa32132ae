import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFileName } from "../../src/store/vault-place.ts";

/** Where the program keeps what was begun on a machine whose user has this home. */
export const vaultOf = (home: string): string => join(home, ".local/state/smart-ralph");

/**
 * What the client's hook notes when the user types `/plugin:<command> <words>`, and the line that the command file then
 * runs.
 */
export function typeSlash(
  home: string,
  session: string,
  [command = "", ...words]: readonly string[],
  at: string = new Date().toISOString(),
): string[] {
  const folder = join(vaultOf(home), "tickets");
  const args = typedLine(words);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(folder, `${encodeFileName(session)}.json`),
    JSON.stringify({ command, args, at }),
  );
  return [command, "--typed", session];
}

/** Words as the user types them after a command. */
export const typedLine = (words: readonly string[]): string =>
  words.map((word) => (/^[^\s"']+$/.test(word) ? word : quoted(word))).join(" ");

const quoted = (word: string): string => (word.includes('"') ? `'${word}'` : `"${word}"`);

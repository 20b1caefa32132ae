import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Edition } from "../../src/layouts/layout.ts";
import { vaultOf } from "./ticket.ts";

/** What the program keeps of a spec in the user's own folder, outside of every project. */
export const VAULT_FILES = {
  record: "run.json",
  journal: "journal.jsonl",
  agreement: "verify.json",
  inbox: "inbox.json",
} as const;

/** Where one of these is, for a spec's folder by its real path. */
export const vaultFile = (
  home: string,
  { id }: Pick<Edition, "id">,
  folder: string,
  file: keyof typeof VAULT_FILES,
): string => join(vaultOf(home), "at", folder, `.${id}-${VAULT_FILES[file]}`);

/** The folder that is there as long as a run of the project is on. */
export const onFolder = (home: string, { id }: Pick<Edition, "id">, root: string): string =>
  join(vaultOf(home), "at", root, `.${id}-on`);

/** Changes the last entry of the journal that counts, as no agent could. */
export function editLastEntry(path: string, change: (entry: LastEntry) => LastEntry): void {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const last = change(JSON.parse(lines.pop() ?? "") as LastEntry);
  writeFileSync(path, `${[...lines, JSON.stringify(last)].join("\n")}\n`);
}

interface LastEntry {
  readonly loop: object;
  readonly held?: object;
}

export const readIfThere = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that goes with the test file's own; other users may look into it. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-")));
  chmodSync(folder, 0o755);
  return folder;
}

/** What is in the folder around a project, besides what the program itself keeps in the user's home. */
export const besides = ({ root }: { readonly root: string }): string[] =>
  readdirSync(join(root, "..")).filter((name) => name !== ".local");

/** Writes files by relative path, their folders included; a path that ends in a slash is a folder. */
export function fillFolder(root: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const place = join(root, path);
    mkdirSync(path.endsWith("/") ? place : dirname(place), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(place, text);
  }
  return root;
}

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { INBOX_FILE } from "../layouts/layout.ts";
import { isAlive, removeIfDead, YOUNG_MS } from "./lock.ts";
import { faultIn } from "./read.ts";
import type { Spec } from "./spec.ts";
import { choicesFolder } from "./vault-place.ts";
import { listVaultFiles } from "./vault.ts";
import { removeFile } from "./write.ts";

/** Removes what a killed process left in the spec's folder and in the vault. Call with the lock held. */
export function removeLeftovers(spec: Spec): void {
  const { folder, project } = spec;
  const { layout } = project;
  removeTemporary(folder, ["tasks.md", ".progress.md", INBOX_FILE, layout.stateFile]);
  for (const place of listVaultFiles(spec)) removeTemporary(place.folder, place.files);
  const choices = choicesFolder(project);
  if (choices !== undefined) removeTemporary(choices);
  forEachName(folder, (name, path) => {
    if (name.startsWith(`${layout.lockFile}.`)) removeIfDead(path);
  });
}

const TEMPORARY = /^(.+?)\.(\d+)(?:\.tmp|\.lock)?$/;

/** `file.<pid>.tmp` and the like, of any file if none is named, if the process is gone. A young file may be another machine's. */
export function removeTemporary(folder: string, files?: readonly string[]): void {
  forEachName(folder, (name, path) => {
    const [, file = "", pid] = TEMPORARY.exec(name) ?? [];
    const isOurs = pid !== undefined && (files === undefined || files.includes(file));
    if (!isOurs || isAlive(Number(pid))) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // By ctime, which nobody can set: some are given the mtime of what they replace.
    if (stat?.isFile() === true && Math.abs(Date.now() - stat.ctimeMs) > YOUNG_MS) removeFile(path);
  });
}

/** Failing to clean up is not a reason to fail. */
function forEachName(folder: string, look: (name: string, path: string) => void): void {
  faultIn(() => {
    for (const name of readdirSync(folder)) look(name, join(folder, name));
  });
}

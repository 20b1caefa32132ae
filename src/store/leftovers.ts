import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { RECEIPT_FILE } from "../facts/receipt.ts";
import { INBOX_FILE } from "../layouts/layout.ts";
import { isDead, removeIfDead } from "./lock.ts";
import { isRunning, PROCESS_NAME } from "./process-id.ts";
import { faultIn, statOf } from "./read.ts";
import type { Spec } from "./spec.ts";
import { choicesFolder } from "./vault-place.ts";
import { listVaultFiles } from "./vault.ts";
import { removeFile } from "./write.ts";

/** Removes what a killed process left in the spec's folder and in the vault. Call with the lock held. */
export function removeLeftovers(spec: Spec): void {
  const { folder, project } = spec;
  const { layout } = project;
  removeTemporary(folder, ["tasks.md", ".progress.md", RECEIPT_FILE, INBOX_FILE, layout.stateFile]);
  for (const place of listVaultFiles(spec)) removeTemporary(place.folder, place.files);
  const choices = choicesFolder(project);
  if (choices !== undefined) removeTemporary(choices);
  forEachName(folder, (name, path) => {
    if (name.startsWith(`${layout.lockFile}.`)) removeIfDead(path);
  });
}

const TEMPORARY = new RegExp(String.raw`^(.+?)\.(${PROCESS_NAME})(?:\.tmp|\.lock)?$`);

/** `file.<pid>.tmp` and the like, of any file if none is named, if the process is gone. A young file may be another machine's. */
export function removeTemporary(folder: string, files?: readonly string[]): void {
  forEachName(folder, (name, path) => {
    const [, file = "", owner] = TEMPORARY.exec(name) ?? [];
    const isOurs = owner !== undefined && (files === undefined || files.includes(file));
    if (!isOurs || isRunning(owner) === true) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // By ctime, which nobody can set: some are given the mtime of what they replace.
    const age = Date.now() - (stat?.ctimeMs ?? Number.NaN);
    if (stat?.isFile() === true && isDead({ name: owner, age })) removeFile(path);
  });
}

const FOLDER = new RegExp(String.raw`^([\w-]+)\.(${PROCESS_NAME})(?:\.|$)`);
/** Longer than anybody works in one. */
const DAY_MS = 24 * 3_600_000;

/** Whether a killed process left a folder of this kind: `<kind>.<process>` and maybe more. */
export function isLeftFolder(path: string, kinds: readonly string[]): boolean {
  const [, kind = "", owner] = FOLDER.exec(basename(path)) ?? [];
  if (owner === undefined || !kinds.includes(kind)) return false;
  return !(isRunning(owner) ?? Date.now() - (statOf(path)?.ctimeMs ?? 0) < DAY_MS);
}

/** Failing to clean up is not a reason to fail. */
function forEachName(folder: string, look: (name: string, path: string) => void): void {
  faultIn(() => {
    for (const name of readdirSync(folder)) look(name, join(folder, name));
  });
}

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isAlive, removeIfDead, YOUNG_MS } from "./lock.ts";
import { faultIn } from "./read.ts";
import type { Spec } from "./spec.ts";
import { vaultPlaces } from "./vault.ts";
import { removeFile } from "./write.ts";

/** Removes what a killed process left in the spec's folder, and of it in the user's own. Call with the lock held. */
export function removeLeftovers(spec: Spec): void {
  const { folder, project } = spec;
  const { layout } = project;
  removeTemporary(folder, ["tasks.md", ".progress.md", layout.stateFile]);
  for (const place of vaultPlaces(spec)) removeTemporary(place.folder, place.files);
  tidy(folder, (name, path) => {
    if (name.startsWith(`${layout.lockFile}.`)) removeIfDead(path);
  });
}

const TEMPORARY = /^(.+?)\.(\d+)(?:\.tmp|\.lock)?$/;

/** `file.<process>.tmp` and the like, where the process is gone. A young one may be another machine's. */
export function removeTemporary(folder: string, files: readonly string[]): void {
  tidy(folder, (name, path) => {
    const [, file = "", pid] = TEMPORARY.exec(name) ?? [];
    if (!files.includes(file) || isAlive(Number(pid))) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // By the time that nobody sets: some of them are given the age of what they replace.
    if (stat?.isFile() === true && Math.abs(Date.now() - stat.ctimeMs) > YOUNG_MS) removeFile(path);
  });
}

/** That something cannot be cleared away is no reason to fail. */
function tidy(folder: string, look: (name: string, path: string) => void): void {
  faultIn(() => {
    for (const name of readdirSync(folder)) look(name, join(folder, name));
  });
}

import { copyFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { processName } from "./process-id.ts";
import { statOf } from "./read.ts";
import {
  FILES,
  fileOf,
  markOf,
  markRunning,
  readRecord,
  unmarkRunning,
  type VaultSpec,
} from "./vault.ts";
import { makeFolder, removeFile } from "./write.ts";

/** Copies what the vault knows about a spec to its copy in another work tree, replacing what it knew about that. */
export function copyInVault(from: VaultSpec, to: VaultSpec): void {
  // The record comes last: without it the rest does not count.
  for (const file of ["journal", "agreement", "inbox", "record"] as const) {
    const [source, target] = [fileOf(from, file), fileOf(to, file)];
    if (source === undefined || target === undefined) continue;
    if (statOf(source) === undefined) removeFile(target);
    else copyWhole(source, target);
  }
  readRecord(to);
  if (statOf(markOf(from)) !== undefined) markRunning(to);
  else unmarkRunning(to);
}

/** A reader sees the old file or the new one, never a part. */
function copyWhole(from: string, to: string): void {
  const temporary = `${to}.${processName()}.tmp`;
  makeFolder(dirname(to));
  copyFileSync(from, temporary);
  renameSync(temporary, to);
}

/** Keeps everything about a spec while `move` renames its folder. */
export function renameInVault(spec: VaultSpec, name: string, move: () => void): void {
  const place = dirname(fileOf(spec, "record") ?? "");
  const mark = markOf(spec);
  const isOn = statOf(mark) !== undefined;
  const all = Object.values(FILES).map((file) => `.${spec.project.layout.id}-${file}`);
  const to = join(dirname(place), name);
  const kept = all.filter((file) => statOf(join(place, file)) !== undefined);
  if (kept.length > 0) makeFolder(to);
  for (const file of all) {
    // It belongs to another spec that once had this name.
    removeFile(join(to, file));
    if (kept.includes(file)) copyFileSync(join(place, file), join(to, file));
  }
  move();
  if (isOn) markRunning({ ...spec, name, folder: join(dirname(spec.folder), name) });
  for (const file of kept) removeFile(join(place, file));
  removeFile(mark);
}

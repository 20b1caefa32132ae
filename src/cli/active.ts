import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { slash } from "../core/layout.ts";
import { readDisk } from "../store/disk.ts";
import { removeTemporary } from "../store/leftovers.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { findActiveSpec, pointerText, type Spec } from "../store/spec.ts";
import { writeWhole } from "../store/write.ts";
import type { Context } from "./command.ts";
import { type Run, withRun } from "./run.ts";

/** Points at a spec. The one that was active before is told, if it was running. */
export function makeActive(context: Context, spec: Spec): string[] {
  const notes = setAside(context, spec);
  writePointer(spec);
  writeSpecKitPointer(spec);
  return notes;
}

/** Only the active spec is continued: one that was running must not look as if it still were. */
function setAside(context: Context, spec: Spec): string[] {
  const { layout } = spec.project;
  const active = findActiveSpec(spec.project);
  if (active.kind !== "ok" || active.spec.folder === spec.folder) return [];
  const before = active.spec;
  const { state } = readDisk(before);
  if (state.kind !== "ok" || state.state.phase !== "execution" || state.state.paused === true)
    return [];
  const note = `${spec.name} was started`;
  const pause = (run: Run): void =>
    run.apply({ event: "paused", note, loop: run.loop, state: { paused: true } });
  withRun(context, before, pause, { anySession: true });
  return [
    `The run of "${before.name}" is paused; ${slash(layout, "resume")} ${before.name} goes on with it.`,
  ];
}

function writePointer(spec: Spec): void {
  const { pointer } = spec.project;
  const text = pointerText(spec);
  const old = readText(pointer, MAX_BYTES.pointer);
  if (old.kind === "ok" && old.text.trim() === text) return;
  mkdirSync(dirname(pointer), { recursive: true });
  removeTemporary(dirname(pointer), [spec.project.layout.pointer]);
  writeWhole(pointer, `${text}\n`);
}

/** Newer versions of Spec Kit keep a pointer of their own: where there is one, its scripts go on with our feature. */
function writeSpecKitPointer({ project, basePath }: Spec): void {
  const path = join(project.root, ".specify", "feature.json");
  if (project.layout.id !== "speckit" || !existsSync(path) || !basePath.startsWith("./")) return;
  const text = `${JSON.stringify({ feature_directory: basePath.slice(2) }, null, 2)}\n`;
  const old = readText(path, MAX_BYTES.settings);
  if (old.kind === "ok" && old.text !== text) writeWhole(path, text);
}

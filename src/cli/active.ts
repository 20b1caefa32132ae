import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { EXECUTION, slash } from "../core/layout.ts";
import { readDisk } from "../store/disk.ts";
import { removeTemporary } from "../store/leftovers.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { findActiveSpec, pointerText, type Spec } from "../store/spec.ts";
import { writeSpecKitPointer } from "../store/speckit.ts";
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
  if (state.kind !== "ok" || state.state.paused === true) return [];
  // Without quick mode, a phase waits for the user anyway.
  if (state.state.phase !== EXECUTION && state.state.quickMode !== true) return [];
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

import { dirname } from "node:path";
import { EXECUTION } from "../layouts/layout.ts";
import { whoseRun } from "../run/trust.ts";
import { writePeerPointer } from "../store/current-spec.ts";
import { removeTemporary } from "../store/leftovers.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { MAX_BYTES } from "../store/read.ts";
import { readGlance } from "../store/spec-files.ts";
import { findActiveSpec, pointerText, type Spec } from "../store/spec.ts";
import { announceOnce } from "../store/tickets.ts";
import type { Request } from "./request.ts";
import { hiddenKey } from "./whose-run.ts";
import { type Run, withRun } from "./with-run.ts";

/** Points at a spec. If the previously active one was running, it is paused. */
export function activateSpec(request: Request, spec: Spec): string[] {
  const notes = pauseOther(request, spec);
  writePointer(spec);
  writePeerPointer(spec);
  return notes;
}

/** Only the active spec is continued: one that was running must not look as if it still were. */
function pauseOther(request: Request, spec: Spec): string[] {
  const { layout } = spec.project;
  const active = findActiveSpec(spec.project);
  if (active.kind !== "ok" || active.spec.folder === spec.folder) return [];
  const before = active.spec;
  const disk = readGlance(before);
  const { state, last } = disk;
  if (state.kind !== "ok" || state.state.paused === true) return [];
  if (whoseRun(disk, request.caller.session) === "stranger") return [];
  // Without quick mode, a phase waits for the user anyway.
  if (state.state.phase !== EXECUTION && state.state.quickMode !== true) return [];
  const note = `${spec.name} was started`;
  const pause = (run: Run): void =>
    run.apply({ event: "paused", note, loop: run.loop, state: { paused: true } });
  withRun(request, before, pause, { anySession: true });
  // This command already tells the user.
  if (last?.loop.session !== null && last !== undefined)
    announceOnce(last.loop.session, hiddenKey(before));
  return [
    `The run of "${before.name}" is paused; ${layout.voice.command("resume")} ${before.name} continues it.`,
  ];
}

function writePointer(spec: Spec): void {
  const { project } = spec;
  const { pointer } = project;
  const text = pointerText(spec);
  const old = readProjectFile(project, pointer, MAX_BYTES.pointer);
  if (old.kind === "ok" && old.text.trim() === text) return;
  makeProjectFolder(project, dirname(pointer));
  removeTemporary(dirname(pointer), [project.layout.pointer]);
  writeProjectFile(project, pointer, `${text}\n`);
}

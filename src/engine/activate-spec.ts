import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { EXECUTION } from "../layouts/layout.ts";
import { whoseRun } from "../run/trust.ts";
import { writePeerPointer } from "../store/current-spec.ts";
import { removeTemporary } from "../store/leftovers.ts";
import {
  makeProjectFolder,
  readProjectFile,
  removeProjectFile,
  writeProjectFile,
} from "../store/project-file.ts";
import { MAX_BYTES } from "../store/read.ts";
import { chooseSpec, findSessionSpec, isChoiceOf } from "../store/session-spec.ts";
import { readGlance } from "../store/spec-files.ts";
import { findSpec, pointerText, type Spec } from "../store/spec.ts";
import { announceOnce } from "../store/tickets.ts";
import { isSameFolder } from "../store/vault-place.ts";
import { listRunningSpecs } from "../store/vault.ts";
import type { Request } from "./request.ts";
import { hiddenKey } from "./whose-run.ts";
import { type Run, withRun } from "./with-run.ts";

/** Points at a spec. If the session, or a person outside of one, leaves a run behind, that run is paused. */
export function activateSpec(
  request: Request,
  spec: Spec,
  how: "started" | "chosen" = "started",
): string[] {
  const { session } = request.caller;
  const notes = pauseOther(request, spec, `${spec.name} was ${how}`);
  chooseSpec(spec, session);
  writePointer(spec);
  writePeerPointer(spec);
  return notes;
}

/** A run that nobody continues must not look as if it were on. Another session continues its own. */
function pauseOther(request: Request, spec: Spec, note: string): string[] {
  const { layout } = spec.project;
  const { session } = request.caller;
  const active = findSessionSpec(spec.project, session);
  if (active.kind !== "ok" || active.spec.folder === spec.folder) return [];
  const before = active.spec;
  const disk = readGlance(before);
  const { state, last } = disk;
  if (state.kind !== "ok" || state.state.paused === true) return [];
  if (whoseRun(disk, session) === "stranger") return [];
  const bound = last?.loop.session ?? null;
  if (bound !== null && bound !== session && isChoiceOf(before, bound)) return [];
  // Without quick mode, a phase waits for the user anyway.
  if (state.state.phase !== EXECUTION && state.state.quickMode !== true) return [];
  const pause = ({ apply, loop }: Run) =>
    apply({ event: "paused", note, loop, state: { paused: true } });
  withRun(request, before, pause, { anySession: true });
  // This command already tells the user.
  if (last?.loop.session !== null && last !== undefined)
    announceOnce(last.loop.session, hiddenKey(before));
  return [
    `The run of "${before.name}" is paused; ${layout.voice.command("resume")} ${before.name} continues it.`,
  ];
}

/** The active spec goes away: the pointer then names another one that has a run on, or nothing. */
export function releasePointer({ project, folder }: Spec): void {
  const running = listRunningSpecs(project)
    .filter((one) => !isSameFolder(one.folder, folder))
    .map((one) => findSpec(project, one.folder))
    .find((found) => found.kind === "ok" && existsSync(found.spec.state));
  if (running?.kind === "ok") writePointer(running.spec);
  else removeProjectFile(project, project.pointer);
}

export function writePointer(spec: Spec): void {
  const { project } = spec;
  const { pointer } = project;
  const text = pointerText(spec);
  const old = readProjectFile(project, pointer, MAX_BYTES.pointer);
  if (old.kind === "ok" && old.text.trim() === text) return;
  makeProjectFolder(project, dirname(pointer));
  removeTemporary(dirname(pointer), [project.layout.pointer]);
  writeProjectFile(project, pointer, `${text}\n`);
}

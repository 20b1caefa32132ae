import { readdirSync } from "node:fs";
import { join } from "node:path";
import { listCheckpoints, removeCheckpoints } from "../git/checkpoint.ts";
import { makeUnique } from "../spec/name.ts";
import { archiveOf } from "../store/archive.ts";
import { makeProjectFolder, moveProjectFolder, removeProjectFile } from "../store/project-file.ts";
import { isFinished, readState } from "../store/spec-files.ts";
import { findActiveSpec, shownPath, type Spec } from "../store/spec.ts";
import { forgetSpec } from "../store/vault.ts";
import { requireUser, requireUserWhileOn } from "./authority.ts";
import { requireRemovable } from "./cancel-run.ts";
import { Refusal } from "./refusal.ts";
import { commandFor, type Request } from "./request.ts";

export interface Archiving {
  /** Where it is now. */
  readonly path: string;
  readonly wasActive: boolean;
}

/** Moves a spec out of the way. Its files stay together, and moving the folder back makes it a spec again. */
export function archiveSpec(request: Request, spec: Spec, force: boolean): Archiving {
  requireUserWhileOn(request, spec, "archive");
  requireUser(request, spec, "archive");
  refuseUnfinished(request, spec, force);
  const { project } = spec;
  const real = requireRemovable(spec);
  const active = findActiveSpec(project);
  const wasActive = active.kind === "ok" && active.spec.folder === spec.folder;
  const archive = archiveOf(spec);
  makeProjectFolder(project, archive);
  const day = request.now().at.slice(0, 10);
  const name = makeUnique(`${day}-${spec.name}`, readdirSync(archive));
  // They belong to a folder of this name, which another spec may get next.
  removeCheckpoints(spec, listCheckpoints(spec));
  forgetSpec(spec);
  moveProjectFolder(project, real, join(archive, name));
  if (wasActive) removeProjectFile(project, project.pointer);
  return { path: shownPath(project, join(archive, name)), wasActive };
}

function refuseUnfinished(request: Request, spec: Spec, force: boolean): void {
  const { layout } = spec.project;
  if (readState(spec).kind !== "absent")
    throw new Refusal(
      "refused",
      `${layout.unit} "${spec.name}" is being worked on`,
      `${commandFor(request, layout, "cancel")} ${spec.name} ends that first`,
    );
  if (force || isFinished(spec)) return;
  throw new Refusal(
    "refused",
    `${layout.unit} "${spec.name}" is not finished`,
    "--force archives it as it is",
  );
}

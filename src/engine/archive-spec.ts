import { readdirSync } from "node:fs";
import { join } from "node:path";
import { listCheckpoints, removeCheckpoints } from "../git/checkpoint.ts";
import { makeUnique } from "../spec/name.ts";
import { archiveOf } from "../store/archive.ts";
import { removePeerPointer } from "../store/current-spec.ts";
import { hasDocument } from "../store/documents.ts";
import { makeProjectFolder, moveProjectFolder } from "../store/project-file.ts";
import { isFinished, readState } from "../store/spec-files.ts";
import { findActiveSpec, shownPath, type Spec } from "../store/spec.ts";
import { forgetSpec } from "../store/vault.ts";
import { releasePointer } from "./activate-spec.ts";
import { requireUser, requireUserWhileOn } from "./authority.ts";
import { requireRemovable } from "./cancel-run.ts";
import { Refusal } from "./refusal.ts";
import { commandFor, type Request } from "./request.ts";

export interface Archiving {
  /** Where it is now. */
  readonly path: string;
  readonly wasActive: boolean;
}

export interface ArchiveWish {
  readonly force: boolean;
  /** Only the folder is moved, whatever the layout's own tool would do besides. */
  readonly skipSpecs: boolean;
}

/** Moves a spec out of the way. Its files stay together, and moving the folder back makes it a spec again. */
export function archiveSpec(request: Request, spec: Spec, wish: ArchiveWish): Archiving {
  requireUserWhileOn(request, spec, "archive");
  requireUser(request, spec, "archive");
  refuseUnfinished(request, spec, wish.force);
  if (!wish.skipSpecs) refuseUnmerged(spec);
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
  if (wasActive) releasePointer(spec);
  removePeerPointer(spec);
  return { path: shownPath(project, join(archive, name)), wasActive };
}

/** What a change says about the specs would be lost to them. */
function refuseUnmerged(spec: Spec): void {
  const { archivedBy, requirements, unit } = spec.project.layout;
  if (archivedBy === undefined || !hasDocument(spec, requirements)) return;
  throw new Refusal(
    "refused",
    `what ${unit} "${spec.name}" changes in the specs has not been merged into them`,
    `\`${archivedBy(spec.name)}\` merges it and puts the ${unit} away, with our record in it; --skip-specs only moves the folder`,
  );
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

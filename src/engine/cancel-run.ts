import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, sep } from "node:path";
import { listCheckpoints, removeCheckpoints } from "../git/checkpoint.ts";
import { phaseNamed } from "../layouts/phases.ts";
import type { Disk } from "../run/decision.ts";
import { currentLoop } from "../run/loop.ts";
import { removePeerPointer } from "../store/current-spec.ts";
import { withLock } from "../store/lock.ts";
import { mergeStaleProgress } from "../store/progress.ts";
import { removeProjectFile } from "../store/project-file.ts";
import { faultOf } from "../store/read.ts";
import { applyWrite, readDisk } from "../store/spec-files.ts";
import { findActiveSpec, shownPath, type Spec } from "../store/spec.ts";
import { forgetSpec } from "../store/vault.ts";
import { releasePointer } from "./activate-spec.ts";
import { requireUser, requireUserWhileOn, whence } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { refuseFolder } from "./with-run.ts";

export interface CancelledRun {
  /** False if nothing was running. */
  readonly cancelled: boolean;
  /** Notes of a parallel group that nobody will merge now. */
  readonly leftovers: readonly string[];
  /** Whether documents, not tasks, were being worked on. */
  readonly isBeforeExecution: boolean;
}

/** Ends a run; every file of the spec is kept. */
export function cancelRun(request: Request, spec: Spec): CancelledRun {
  requireUserWhileOn(request, spec, "cancel");
  return endRun(request, spec);
}

const endRun = (request: Request, spec: Spec): CancelledRun =>
  withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const now = request.now();
    // Every leftover of a parallel batch goes, however recent: nobody will merge it.
    const leftovers = mergeStaleProgress(spec, now.at, Number.NEGATIVE_INFINITY);
    const result = { leftovers, isBeforeExecution: isBefore(disk) };
    // A run whose state someone removed by hand is still on in the journal, and repair would bring it back.
    if (disk.state.kind === "absent" && disk.last?.loop.open !== true)
      return { ...result, cancelled: false };
    refuseFolder(spec);
    const state = disk.state.kind === "ok" ? disk.state.state : {};
    const loop = { ...currentLoop(state, disk.last, now), open: false };
    try {
      const where = whence(request, spec);
      applyWrite(spec, disk.state, { event: "cancelled", ...where, loop, state: "remove" }, now.at);
    } catch (error) {
      // Without a journal it is cancelled too: only the state keeps the agent going.
      if (faultOf(error) === undefined) throw error;
      removeProjectFile(spec.project, spec.state);
    }
    return { ...result, cancelled: true };
  });

/** Whether there is nothing to execute yet. */
const isBefore = ({ layout, state, tasks }: Disk): boolean =>
  tasks.kind === "absent" ||
  (state.kind === "ok" && phaseNamed(layout.phases, state.state.phase) !== undefined);

/** What removing a spec deletes, as the user sees it. Without `confirmed` nothing is removed. */
export function deleteSpec(request: Request, spec: Spec, confirmed: boolean): string[] {
  requireUserWhileOn(request, spec, "cancel");
  requireUser(request, spec, "cancel");
  const { project } = spec;
  const real = requireRemovable(spec);
  const active = findActiveSpec(project);
  const pointers =
    active.kind === "ok" && active.spec.folder === spec.folder
      ? [shownPath(project, project.pointer)]
      : [];
  const goes = [...readdirSync(real).map((name) => `${spec.basePath}/${name}`), ...pointers];
  if (!confirmed) return goes;
  endRun(request, spec);
  if (pointers.length > 0) releasePointer(spec);
  removePeerPointer(spec);
  removeCheckpoints(spec, listCheckpoints(spec));
  forgetSpec(spec);
  rmSync(real, { recursive: true });
  return goes;
}

/** Its real folder, if that is what it looks like: one folder among other specs. */
export function requireRemovable({ project, folder, basePath }: Spec): string {
  const { unit } = project.layout;
  const real = realpathSync(folder);
  const roots = project.specsDirs.filter((one) => existsSync(one)).map((one) => realpathSync(one));
  const holdsMore = [...roots, realpathSync(project.root)].some((one) =>
    `${one}${sep}`.startsWith(`${real}${sep}`),
  );
  if (roots.includes(dirname(real)) && !holdsMore && !basename(real).startsWith(".")) return real;
  throw new Refusal(
    "refused",
    `${basePath} is not a ${unit} directly inside a folder for ${unit}s, so it is left alone`,
    "move or remove it by hand if you mean it",
  );
}

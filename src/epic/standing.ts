import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Now } from "../run/loop.ts";
import { dropNumber } from "../spec/name.ts";
import { listArchived } from "../store/archive.ts";
import { findNamedSpec } from "../store/current-spec.ts";
import { withLock } from "../store/lock.ts";
import type { Project } from "../store/project.ts";
import { isFinished } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { type EpicPlace, findActiveEpic, listEpics, readEpic, writeEpic } from "./files.ts";
import { type Epic, type EpicStatus, withStatus } from "./model.ts";
import { type EpicPlan, planEpic, type SpecStanding } from "./plan.ts";

export const readEpicPlan = (project: Project, epic: Epic): EpicPlan =>
  planEpic(epic, (name) => readStanding(project, name));

function readStanding(project: Project, name: string): SpecStanding {
  const found = findNamedSpec(project, name);
  if (found.kind !== "ok" && found.kind !== "ambiguous")
    return isArchived(project, name) ? "finished" : "none";
  // As in the pointer, a bare name means the one in the first of `specs_dirs`.
  const spec = found.kind === "ok" ? found.spec : (found.specs[0] as Spec);
  if (isFinished(spec)) return "finished";
  // Notes, or a plan to begin from, do not count as a start.
  const documents = project.layout.phases.map(({ document }) => join(spec.folder, document));
  return [...documents, spec.state].some((path) => existsSync(path)) ? "begun" : "none";
}

/** Whether it was finished, and then archived. */
const isArchived = (project: Project, name: string): boolean =>
  listArchived(project).some(
    (one) => [one.name, dropNumber(one.name)].includes(name) && isFinished(one.spec),
  );

/** The active epic, if there is one that can be read. */
export function readActiveEpic(
  project: Project,
): { readonly epic: Epic; readonly planned: EpicPlan } | undefined {
  const found = findActiveEpic(project);
  const file = found.kind === "ok" ? readEpic(found.place) : undefined;
  return file?.kind === "ok"
    ? { epic: file.epic, planned: readEpicPlan(project, file.epic) }
    : undefined;
}

/** The epic that a spec belongs to, and what the epic says it is for, if that was written down. */
export function specInEpic(
  project: Project,
  name: string,
): { readonly epic: Epic; readonly goal: string | undefined } | undefined {
  const found = findOwner(project, name);
  if (found === undefined) return undefined;
  const { epic, name: own } = found;
  return { epic, goal: epic.specs.find((spec) => spec.name === own)?.goal };
}

/** Records the spec's progress in its epic, for people and older versions; we look at the disk instead. */
export function writeEpicStatus(
  project: Project,
  specName: string,
  status: EpicStatus,
  now: Now,
): void {
  const owner = findOwner(project, specName);
  if (owner === undefined) return;
  withLock(owner.place.lock, () => {
    const file = readEpic(owner.place);
    if (file.kind !== "ok") return;
    const changed = withStatus(file.epic, owner.name, status, now.at);
    if (changed !== file.epic) writeEpic(owner.place, changed);
  });
}

/**
 * The active epic comes first: a name may have been used in another one before. An epic names its specs before Spec Kit
 * numbers them.
 */
function findOwner(
  project: Project,
  specName: string,
): { readonly place: EpicPlace; readonly epic: Epic; readonly name: string } | undefined {
  const names = [specName, dropNumber(specName)];
  const active = findActiveEpic(project);
  const places = [...(active.kind === "ok" ? [active.place] : []), ...listEpics(project)];
  for (const place of places) {
    const file = readEpic(place);
    const known = file.kind === "ok" ? file.epic.specs.map((spec) => spec.name) : [];
    const name = names.find((one) => known.includes(one));
    if (file.kind === "ok" && name !== undefined) return { place, epic: file.epic, name };
  }
  return undefined;
}

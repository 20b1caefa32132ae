import { join, relative } from "node:path";
import { freeName } from "../../engine/create-spec.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import { epicOf } from "../../engine/resolve-epic.ts";
import { memberName, sameSpecIn } from "../../engine/run-trees.ts";
import {
  listTrunks,
  placeOf,
  readTrunkRecord,
  type TrunkRecord,
  writeTrunkRecord,
} from "../../engine/trunk-record.ts";
import { findEpic } from "../../epic/files.ts";
import type { Epic, EpicSpec } from "../../epic/model.ts";
import type { EpicPlan } from "../../epic/plan.ts";
import { readEpicPlan } from "../../epic/standing.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findNamedSpec } from "../../store/current-spec.ts";
import { makeProjectFolder } from "../../store/project-file.ts";
import type { Project } from "../../store/project.ts";
import { isFinished } from "../../store/spec-files.ts";
import { isFolder, type Spec, specAt } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { bringDocuments } from "../trees/bring-documents.ts";
import { copyFiles } from "../trees/copy-files.ts";
import { partsOf } from "../trees/parts.ts";
import { takeTrunk } from "../trees/take.ts";
import { pauseAtHome, type Trunk, trunkAt } from "../trees/trunk.ts";

const NO_DETAILS = { isNew: false, leftOut: [], notes: [] } as const;

/** The open trunk of a spec or an epic. */
export function trunkOf(home: Spec): Trunk {
  const place = placeOf(home);
  const record = place && readTrunkRecord(place);
  if (place === undefined || record === undefined)
    throw new Refusal("broken", `the run's own work tree of "${home.name}" is gone`);
  return trunkAt(place, record, home, NO_DETAILS);
}

/** The epic in the run's tree, which is authoritative during the run. */
export function readEpicInTree(
  request: Request,
  { project }: Trunk,
  name: string,
): { readonly epic: Epic; readonly plan: EpicPlan } {
  const found = findEpic(project, name);
  if (found.kind !== "ok") throw new Refusal("broken", `in the epic's own tree, ${found.why}`);
  const epic = epicOf(request, found.place);
  return { epic, plan: readEpicPlan(project, epic) };
}

/** Brings the epic's specs, and those that they depend on, from the user's tree. */
export function bringMembers(trunk: Trunk, { specs }: Epic, at: string): void {
  const names = new Set(specs.flatMap(({ name, dependencies }) => [name, ...dependencies]));
  for (const name of names) {
    const home = findIn(trunk.home.project, name);
    if (home !== undefined && memberOf(trunk, home) === undefined) bringMember(trunk, home, at);
  }
}

/** Brings a spec into the epic's tree, or only what the user has changed in it since. */
export function bringMember(trunk: Trunk, home: Spec, at: string): void {
  const spec = sameSpecIn(home, trunk.project);
  const known = memberOf(trunk, home);
  const record = readTrunkRecord(trunk.place) as TrunkRecord;
  const files =
    known === undefined
      ? copyFiles(trunk.place, home, spec)
      : bringDocuments({ ...trunk, home, spec }, { ...record, files: known.files }).files;
  const back = known?.back ?? (isFinished(spec) ? at : null);
  changeMember(trunk, home, { files, back });
  pauseAtHome(home, at);
}

type Member = TrunkRecord["members"][string];

const memberOf = ({ place }: Trunk, home: Spec): Member | undefined =>
  readTrunkRecord(place)?.members[memberName(home)];

function changeMember({ place }: Trunk, home: Spec, member: Member): void {
  const record = readTrunkRecord(place);
  if (record === undefined) return;
  const members = { ...record.members, [memberName(home)]: member };
  writeTrunkRecord(place, { ...record, members });
}

/** Notes that the epic's branch has all of a spec. */
export function noteReturned(trunk: Trunk, home: Spec, at: string): void {
  const known = memberOf(trunk, home);
  if (known?.back === null) changeMember(trunk, home, { ...known, back: at });
}

/** Notes the specs that a killed run brought back without noting it. */
export function noteAllReturned(trunk: Trunk, at: string): void {
  for (const { home, spec } of partsOf(trunk, readTrunkRecord(trunk.place) as TrunkRecord))
    if (isFinished(spec)) noteReturned(trunk, home, at);
}

/** Specs that have returned since then, as they are in the epic's tree. */
export const listReturnedSince = (trunk: Trunk, at: string): Spec[] =>
  Object.entries(readTrunkRecord(trunk.place)?.members ?? {})
    .filter(([, { back }]) => back !== null && back > at)
    .map(([folder]) => specAt(trunk.project, join(trunk.project.root, folder)));

/** Where a spec of the epic is, or will be, in the user's tree. */
export function homeFor(request: Request, trunk: Trunk, { name, goal = "" }: EpicSpec): Spec {
  const own = trunk.home.project;
  const inTrunk = findIn(trunk.project, name);
  const inUsers = inTrunk === undefined ? findIn(own, name) : undefined;
  if (inUsers !== undefined) return inUsers;
  if (inTrunk !== undefined)
    return specAt(own, join(own.root, relative(realPathOf(trunk.project.root), inTrunk.folder)));
  const wanted = { name, goal, exact: false, folder: undefined, given: undefined };
  const free = freeName(request, trunk.project, { ...wanted, intent: undefined });
  const folder = join(trunk.project.specsDirs[0] as string, free);
  // Reserves the name, so that the next spec gets another number.
  makeProjectFolder(trunk.project, folder);
  return specAt(own, join(own.root, relative(trunk.project.root, folder)));
}

export function findIn(project: Project, name: string): Spec | undefined {
  const found = findNamedSpec(project, name);
  return found.kind === "ok" ? found.spec : found.kind === "ambiguous" ? found.specs[0] : undefined;
}

/** Refuses if a run of the spec alone has its own branch: it may have done half of the spec already. */
export function refuseOwnRun(home: Spec): void {
  const place = placeOf(home);
  const record = place && readTrunkRecord(place);
  const isOpen = record?.stage === "open" || record?.stage === "taking";
  if (place === undefined || !isOpen || !isFolder(place.top)) return;
  throw new Refusal(
    "refused",
    `a run of "${home.name}" has a branch of its own, ${place.branch}`,
    `${SHELL_PROGRAM} take ${home.name} first`,
  );
}

/** The specs whose own trees were begun from this epic's tree. */
export const listSpecTrunks = ({
  top,
  home,
  project,
}: Trunk): { home: Spec; record: TrunkRecord }[] =>
  listTrunks(home.project.root)
    .filter(({ record }) => isSameOrBelow(record.root, top))
    .map(({ record }) => ({ home: specAt(project, record.folder), record }));

/** Finishes what a killed run was just bringing back. */
export function finishTaking(trunk: Trunk): void {
  for (const { home, record } of listSpecTrunks(trunk))
    if (record.stage === "taking" || record.stage === "taken") takeTrunk(home, false, true);
}

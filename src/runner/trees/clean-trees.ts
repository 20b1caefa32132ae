import { rmSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import {
  isHeld,
  listTrunks,
  namesIn,
  removeTrunkRecord,
  treesOf,
  type TrunkPlace,
  type TrunkRecord,
} from "../../engine/trunk-record.ts";
import { forgetCheckpoints } from "../../git/checkpoint.ts";
import { removeOldTrees } from "../../git/clean-tree.ts";
import { collectPrivateGit } from "../../git/collect-private.ts";
import { commitOf, removeBranch, removeTree } from "../../git/own-tree.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { isLeftFolder } from "../../store/leftovers.ts";
import type { Project } from "../../store/project.ts";
import { faultIn } from "../../store/read.ts";
import { isFolder, type Spec, specAt } from "../../store/spec.ts";
import { forgetSpec } from "../../store/vault.ts";
import { keepHalfDone, refuseInTasks } from "./half-done.ts";
import { removeTaskTrees } from "./task-tree.ts";
import { type Trunk, trunkAt } from "./trunk.ts";

/** How many work trees of runs a repository keeps, unless more have untaken work. */
const MAX_TRUNKS = 8;

export interface Cleaned {
  /** How many task trees, and trees of runs, were removed. */
  readonly tasks: number;
  readonly trunks: number;
  /** Specs with untaken work, if there are too many. */
  readonly untaken: readonly string[];
}

/**
 * Removes what ended runs left: task trees, and the oldest trees of taken runs if there are more than `max`. Work that
 * no other branch has stays, or is kept under a ref.
 */
export function cleanTrees(project: Project, max = MAX_TRUNKS): Cleaned {
  const { root } = project;
  removePassing(root);
  const idle = listTrunks(root).filter(({ record }) => !isHeld(record));
  let tasks = 0;
  for (const { place, record } of idle)
    if (isFolder(place.top) && record.stage !== "opening") {
      collectPrivateGit(place.top, { isLive: false });
      const trunk = trunkOf(project, place, record);
      if (!isRefused(() => refuseInTasks(trunk))) tasks += removeTaskTrees(trunk);
    }
  const surplus = Math.max(0, listTrunks(root).length - max);
  const gone = idle
    .filter(({ place, record }) => isElsewhere(root, place, record) && !hasSpecs(root, place))
    .slice(0, surplus)
    .filter(({ place, record }) => !isRefused(() => remove(project, place, record)));
  const left = surplus - gone.length;
  const untaken = idle.filter((one) => !gone.includes(one)).map(({ record }) => record.spec);
  return { tasks, trunks: gone.length, untaken: left > 0 ? untaken : [] };
}

/** What git cannot keep stays: `take` and `discard` tell the user. */
function isRefused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** Whether it is the tree of an epic from which specs go on. */
export const hasSpecs = (root: string, { top }: TrunkPlace): boolean =>
  listTrunks(root).some(({ record }) => isSameOrBelow(record.root, top));

const trunkOf = (project: Project, place: TrunkPlace, record: TrunkRecord): Trunk =>
  trunkAt(place, record, homeOf(project, record), { isNew: false, leftOut: [], notes: [] });

const homeOf = (project: Project, { root, folder }: TrunkRecord): Spec =>
  specAt({ ...project, root }, folder);

/** Whether another branch has all of its commits: it was taken or merged by hand, or has no work. */
function isElsewhere(root: string, { branch }: TrunkPlace, { stage }: TrunkRecord): boolean {
  const head = commitOf(root, branch);
  if (head === undefined || stage === "taking" || stage === "opening") return false;
  const format = "--format=%(refname)%00";
  const { out } = runGit(root, [
    "for-each-ref",
    format,
    "--contains",
    head,
    "refs/heads",
    "refs/remotes",
  ]);
  return namesOf(out.replaceAll("\n", "")).some((ref) => {
    const own = `refs/heads/${branch}`;
    return ref !== own && !ref.startsWith(`${own}+`) && !ref.startsWith(`${own}.`);
  });
}

function remove(project: Project, place: TrunkPlace, record: TrunkRecord): void {
  const { root } = project;
  const trunk = trunkOf(project, place, record);
  if (isFolder(place.top)) keepHalfDone(trunk);
  forgetCheckpoints(root, record.key);
  // If the branch was merged by hand, the vault has the only authoritative journal.
  if (record.stage === "taken") forgetSpec(trunk.spec);
  removeTree(root, place.top);
  removeBranch(root, place.branch);
  removeTrunkRecord(place);
}

/** Removes unfinished folders of killed processes. */
function removePassing(root: string): void {
  removeOldTrees(root);
  const all = treesOf(root);
  for (const name of all === undefined ? [] : namesIn(all)) {
    const path = join(all as string, name);
    if (!isLeftFolder(path, ["sharing", "taking", "smart-ralph-prove"])) continue;
    if (name.startsWith("taking")) removeTree(root, path);
    else faultIn(() => rmSync(path, { recursive: true, force: true }));
  }
}

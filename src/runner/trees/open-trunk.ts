import { writePointer } from "../../engine/activate-spec.ts";
import { copySettings } from "../../engine/branch.ts";
import { Refusal } from "../../engine/refusal.ts";
import { sameProjectIn, sameSpecIn } from "../../engine/run-trees.ts";
import {
  holder,
  isEpicHome,
  readTrunkRecord,
  removeTrunkRecord,
  type TrunkPlace,
  type TrunkRecord,
  writeTrunkRecord,
} from "../../engine/trunk-record.ts";
import { forgetCheckpoints } from "../../git/checkpoint.ts";
import { readMissing } from "../../git/clean-tree.ts";
import { readGitLinks } from "../../git/git-links.ts";
import {
  addTree,
  commitOf,
  headOf,
  isAncestor,
  isTreeOf,
  reviveBranch,
  removeBranch,
  removeTree,
} from "../../git/own-tree.ts";
import { findRepository } from "../../git/repository.ts";
import { unlockTree } from "../../git/unlock-tree.ts";
import { findGit, readBranch } from "../../store/git-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { bringDocuments } from "./bring-documents.ts";
import { copyFiles } from "./copy-files.ts";
import { requireGitFolder } from "./git-folder.ts";
import { refuseTaken, requireGround } from "./ground.ts";
import { keepHalfDone } from "./half-done.ts";
import { readLeftOut } from "./left-out.ts";
import { restoreFiles } from "./restore-files.ts";
import { pauseAtHome, type Trunk, trunkAt } from "./trunk.ts";

/**
 * Opens the run's own work tree for a spec in the user's tree, or reopens it after a stop or a crash without losing
 * anything. The spec's folder need not exist yet. Call while holding the lease on the spec.
 */
export function openTrunk(home: Spec, at: string, isInEpic = false): Trunk {
  const place = requireGround(home, isInEpic);
  const known = readTrunkRecord(place);
  if (known !== undefined) {
    refuseOther(place, known, home);
    requireGitFolder(place, known, home);
  }
  if (known?.stage === "taking")
    throw new Refusal(
      "refused",
      `the run's branch ${place.branch} is being taken`,
      `${SHELL_PROGRAM} take again finishes that`,
    );
  const isGone =
    known !== undefined &&
    commitOf(home.project.root, place.branch) === undefined &&
    !isFolder(place.top);
  if (known === undefined || known.stage === "opening" || isGone)
    return begin(place, known, home, at);
  if (isTaken(place, known, home.project.root)) {
    const old = trunkAt(place, known, home, { isNew: false, leftOut: [], notes: [] });
    return begin(place, known, home, at, keepHalfDone(old));
  }
  return reopen(place, known, home, at);
}

/** Whether the user's branch has all of the run's commits. */
function isTaken({ branch }: TrunkPlace, { stage }: TrunkRecord, root: string): boolean {
  const head = stage === "taken" ? commitOf(root, branch) : undefined;
  return head !== undefined && isAncestor(root, head, "HEAD");
}

/** Records that the run in this tree is over. */
export function closeTrunk({ place }: Pick<Trunk, "place">): void {
  const record = readTrunkRecord(place);
  if (record !== undefined) writeTrunkRecord(place, { ...record, pid: 0, started: "" });
}

function refuseOther(place: TrunkPlace, record: TrunkRecord, home: Spec): void {
  if (record.folder === realPathOf(home.folder)) return;
  throw new Refusal(
    "refused",
    `${place.branch} belongs to a run of ${oneLine(record.folder, 200)}`,
    `take that one first (${SHELL_PROGRAM} take, there), or work here with --here`,
  );
}

function begin(
  place: TrunkPlace,
  known: TrunkRecord | undefined,
  home: Spec,
  at: string,
  notes: readonly string[] = [],
): Trunk {
  const { root } = home.project;
  // No work is lost: a trunk that gets here was never open, is gone, or was taken and the rest of it is kept.
  if (known !== undefined) scrap(root, place);
  refuseTaken(root, place);
  const base = headOf(root) as string;
  const record = writeTrunkRecord(place, {
    repository: realPathOf(findGit(root)?.common ?? ""),
    root,
    folder: realPathOf(home.folder),
    spec: home.name,
    layout: home.project.layout.id,
    branch: place.branch,
    base,
    from: readBranch(findGit(root)) ?? null,
    began: at,
    key: "",
    stage: "opening",
    ...holder(),
    files: {},
    equipped: false,
    proven: null,
    merging: null,
    members: {},
    links: readGitLinks({ common: findGit(root)?.common ?? "" }),
  });
  const why = addTree(root, place.top, place.branch, base);
  if (why !== undefined) {
    scrap(root, place);
    const fix = "fix that and try again, or work here with --here";
    throw new Refusal(
      "refused",
      `the run's own work tree cannot be made: ${oneLine(why, 300)}`,
      fix,
    );
  }
  const files = fillOrScrap(place, home);
  const inTree = sameSpecIn(home, sameProjectIn(home.project, place.top));
  const { key = "" } = findRepository(inTree) ?? {};
  writeTrunkRecord(place, { ...record, stage: "open", files, key });
  pauseAtHome(home, at);
  return describe(place, { ...record, files }, home, true, notes);
}

function scrap(root: string, place: TrunkPlace): void {
  forgetCheckpoints(root, readTrunkRecord(place)?.key ?? "");
  removeTree(root, place.top);
  removeBranch(root, place.branch);
  removeTrunkRecord(place);
}

/** Copies what a run needs besides the commit. Returns the hashes of the user's files. */
function fillOrScrap(place: TrunkPlace, home: Spec): Record<string, string> {
  try {
    copySettings(home.project, sameProjectIn(home.project, place.top).root);
    // The project is opened again, because its settings say where specs are.
    return copyFiles(place, home, sameSpecIn(home, sameProjectIn(home.project, place.top)));
  } catch (error) {
    scrap(home.project.root, place);
    throw error;
  }
}

function reopen(place: TrunkPlace, known: TrunkRecord, home: Spec, at: string): Trunk {
  const { root } = home.project;
  const notes: string[] = [];
  let record = known;
  if (!isFolder(place.top)) {
    restore(place, home);
    notes.push("The run's work tree was gone; it was checked out again from its branch.");
  }
  if (commitOf(root, place.branch) === undefined) {
    if (reviveBranch(root, place.top, place.branch, known.base) === undefined)
      throw new Refusal(
        "refused",
        `the run's branch ${place.branch} is gone, and git no longer has its commits`,
        `what is left is in ${place.top}: take it by hand, and remove that folder`,
      );
    notes.push("The run's branch was gone; it was restored at the last commit of its work tree.");
  }
  const interrupted = unlockTree(place.top);
  if (interrupted !== undefined)
    notes.push(`What was in the middle of a merge or rebase is kept at ${interrupted}.`);
  if (!isTreeOf(root, place.top, place.branch))
    throw new Refusal(
      "refused",
      `${place.top} is not on the branch ${place.branch}`,
      `git -C ${JSON.stringify(place.top)} switch ${place.branch}, or take what is there by hand and remove it`,
    );
  const trunk = trunkAt(place, record, home, { isNew: false, leftOut: [], notes });
  const brought = bringDocuments(trunk, record);
  record = writeTrunkRecord(place, {
    ...record,
    stage: "open",
    ...holder(),
    files: brought.files,
  });
  pauseAtHome(home, at);
  return describe(place, record, home, false, [...notes, ...brought.notes]);
}

/** Recreates a lost tree: the work from its branch, journal and ticks from the vault, the rest from the user's tree. */
export function restore(place: TrunkPlace, home: Spec): void {
  const { root } = home.project;
  removeTree(root, place.top);
  const why = addTree(root, place.top, place.branch, place.branch);
  if (why !== undefined)
    throw new Refusal(
      "broken",
      `the run's work tree is gone, and cannot be made again: ${oneLine(why, 300)}`,
      `its work is on the branch ${place.branch}`,
    );
  copySettings(home.project, sameProjectIn(home.project, place.top).root);
  const inTree = sameSpecIn(home, sameProjectIn(home.project, place.top));
  restoreFiles({ home, spec: inTree }, readTrunkRecord(place)?.members ?? {});
  if (isFolder(inTree.folder) && !isEpicHome(inTree)) writePointer(inTree);
}

function describe(
  place: TrunkPlace,
  record: TrunkRecord,
  home: Spec,
  isNew: boolean,
  notes: readonly string[],
): Trunk {
  const missing = isNew ? readMissing({ top: place.top }) : [];
  return trunkAt(place, record, home, {
    isNew,
    leftOut: readLeftOut(home),
    notes: [...notes, ...missing.map((one) => `In the run's work tree, ${one}.`)],
  });
}

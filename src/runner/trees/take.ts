import { readSpecFacts } from "../../engine/read-facts.ts";
import { Refusal } from "../../engine/refusal.ts";
import {
  isHeld,
  placeOf,
  readTrunkRecord,
  removeTrunkRecord,
  treesFolder,
  type TrunkPlace,
  type TrunkRecord,
  writeTrunkRecord,
} from "../../engine/trunk-record.ts";
import { type Counts, countClasses } from "../../facts/classify.ts";
import { forgetCheckpoints } from "../../git/checkpoint.ts";
import { type RangeCommit, readRange } from "../../git/commit-range.ts";
import { readOperation } from "../../git/operation.ts";
import {
  commitOf,
  headOf,
  isAncestor,
  isTreeOf,
  reviveBranch,
  removeBranch,
  removeTree,
} from "../../git/own-tree.ts";
import { findRepository } from "../../git/repository.ts";
import { runGit } from "../../git/run.ts";
import { unlockTree } from "../../git/unlock-tree.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findGit, readBranch } from "../../store/git-files.ts";
import { readTasks } from "../../store/spec-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { forgetSpec } from "../../store/vault.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { advance } from "./advance.ts";
import { listInterrupted, rewindTo } from "./attempt-start.ts";
import { bringHome, planFiles } from "./bring-home.ts";
import { hasSpecs } from "./clean-trees.ts";
import { requireGitFolder } from "./git-folder.ts";
import { keepHalfDone, refuseInTasks, tellKept } from "./half-done.ts";
import { undoUnsettled } from "./merge-queue.ts";
import { restore } from "./open-trunk.ts";
import { partsOf } from "./parts.ts";
import { planMerge } from "./plan-merge.ts";
import { requireSubmodules } from "./submodules.ts";
import { removeTaskTrees } from "./task-tree.ts";
import { type Trunk, trunkAt, unpauseAtHome } from "./trunk.ts";

export interface Taken {
  readonly spec: Spec;
  /** The user's branch, and the run's. */
  readonly into: string;
  readonly branch: string;
  readonly how: "nothing" | "fast-forward" | "merge";
  readonly commit: string;
  readonly commits: number;
  readonly counts: Counts;
  /** Commits since everything last held in a clean checkout; null if it never did. */
  readonly unproven: number | null;
  /** Whether the spec's own files were committed after that: the ticked list and the receipt. */
  readonly isReceipted: boolean;
  readonly notes: readonly string[];
}

/**
 * Merges the run's branch into the user's, and brings the spec's state, journal and notes into the user's tree. Nothing
 * changes before the branch moves. After an interruption it can be called again.
 */
export function takeTrunk(home: Spec, wantsKept: boolean, isInEpic = false): Taken {
  const { place, record } = requireTrunk(home, isInEpic);
  requireGitFolder(place, record, home);
  // An epic's tree stays while unfinished specs go on from it.
  const keeps = wantsKept || hasSpecs(home.project.root, place);
  const { root } = home.project;
  const into = requireBranch(home, record);
  const mine = headOf(root) as string;
  const found = commitOf(root, place.branch);
  const isLost = found === undefined && record.stage === "open" && isFolder(place.top);
  let head = isLost ? reviveBranch(root, place.top, place.branch, record.base) : found;
  if (isLost && head === undefined)
    throw new Refusal(
      "missing",
      `the run's branch ${place.branch} is gone, and git no longer has its commits`,
      `what is left is in ${place.top}: take it by hand, and remove that folder`,
    );
  const isOver = record.stage === "taken" && (head === undefined || isAncestor(root, head, mine));
  if (isOver || head === undefined) {
    if (!isOver && record.stage !== "taking") {
      removeAll(place, home);
      throw new Refusal("missing", `the run's branch ${place.branch} is gone`);
    }
    // After --keep, somebody may have worked in the tree.
    const old = trunkAt(place, record, home, { isNew: false, leftOut: [], notes: [] });
    const notes = keeps ? [] : keepHalfDone(old);
    if (!keeps) removeAll(place, home);
    return describe(home, place, record, {
      into,
      how: "nothing",
      commit: mine,
      commits: 0,
      unproven: null,
      isReceipted: false,
      notes,
    });
  }
  const trunk = openForTaking(place, record, home);
  refuseInTasks(trunk);
  const undone = undoUnfinished(trunk);
  head = commitOf(root, place.branch) ?? head;
  requireSubmodules(trunk, mine, head);
  const notes = [...trunk.notes, ...undone, ...keepHalfDone(trunk)];
  removeTaskTrees(trunk);
  const unproven = countSince(trunk, record, head);
  const { how, commit } = planMerge(trunk, mine, head);
  const files = planFiles(trunk, record, mine, commit);
  const count = runGit(root, ["rev-list", "--count", `${mine}..${head}`]).out.trim();
  writeTrunkRecord(place, { ...record, stage: "taking" });
  advance(home, mine, commit, files, () => void writeTrunkRecord(place, record));
  bringHome(files, into);
  writeTrunkRecord(place, { ...record, stage: "taken", pid: 0, started: "" });
  if (!keeps) removeAll(place, home);
  return describe(home, place, record, {
    into,
    how,
    commit,
    commits: Number(count),
    unproven,
    isReceipted: record.proven !== head,
    notes,
  });
}

/** Sets aside what a killed run was in the middle of, as the next run would. Returns notes. */
function undoUnfinished(trunk: Trunk): string[] {
  const merged = undoUnsettled(trunk);
  const refs = listInterrupted(trunk.spec).map((id) => rewindTo(trunk.spec, id));
  return [merged, ...refs].filter((ref) => ref !== undefined).map(tellKept);
}

/** How many commits were made after the last check, by anybody, without those that hold only the spec's own files. */
function countSince({ top, spec }: Trunk, { proven }: TrunkRecord, head: string): number | null {
  if (proven === null || !isAncestor(top, proven, head)) return null;
  const repository = findRepository(spec);
  const since = repository && readRange(top, proven, head);
  const isOwn = (name: string): boolean => repository?.isOwn(name) === true;
  const isWork = ({ files }: RangeCommit): boolean => files.length === 0 || !files.every(isOwn);
  return since?.filter(isWork).length ?? null;
}

export function requireTrunk(
  home: Spec,
  isInEpic: boolean,
  verb: "take" | "discard" = "take",
): { place: TrunkPlace; record: TrunkRecord } {
  const git = findGit(home.project.root);
  const trees = git && treesFolder();
  const isTree = git !== undefined && trees !== undefined;
  if (isTree && !isInEpic && isSameOrBelow(realPathOf(git.top), trees))
    throw new Refusal(
      "refused",
      "this is the work tree of a run",
      `${verb} it in your own work tree`,
    );
  const place = placeOf(home);
  const record = place && readTrunkRecord(place);
  if (place === undefined || record === undefined || record.folder !== realPathOf(home.folder))
    throw new Refusal(
      "missing",
      `no run of "${oneLine(home.name, 80)}" has a branch to ${verb}`,
      `${SHELL_PROGRAM} run ${oneLine(home.name, 80)} begins one`,
    );
  if (isHeld(record))
    throw new Refusal(
      "refused",
      `a run is working on "${oneLine(home.name, 80)}" (process ${record.pid})`,
      `stop it first: ${SHELL_PROGRAM} stop; nothing is lost`,
    );
  return { place, record };
}

function requireBranch(home: Spec, { from, stage }: TrunkRecord): string {
  const git = findGit(home.project.root);
  const busy = git && readOperation(git);
  if (busy !== undefined)
    throw new Refusal("refused", `git is in the middle of a ${busy}`, "finish or abort it first");
  if (stage === "opening") throw new Refusal("missing", `the run of "${home.name}" has not begun`);
  const branch = readBranch(git);
  if (branch === undefined)
    throw new Refusal(
      "refused",
      "no branch is checked out",
      `git switch ${from ?? "<your branch>"}`,
    );
  return branch;
}

function openForTaking(place: TrunkPlace, record: TrunkRecord, home: Spec): Trunk {
  if (!isFolder(place.top)) restore(place, home);
  const interrupted = unlockTree(place.top);
  if (!isTreeOf(home.project.root, place.top, place.branch))
    throw new Refusal(
      "refused",
      `${place.top} is not on the branch ${place.branch}`,
      `git -C ${JSON.stringify(place.top)} switch ${place.branch}`,
    );
  const notes = interrupted === undefined ? [] : [tellKept(interrupted)];
  return trunkAt(place, record, home, { isNew: false, leftOut: [], notes });
}

/** Removes what was made for a run: one that did not begin, or whose work is kept elsewhere. */
export function discardTrunk(trunk: Trunk, at: string): void {
  const { place, home } = trunk;
  const { files = {}, members = {} } = readTrunkRecord(place) ?? {};
  removeAll(place, home);
  for (const part of partsOf(trunk, { files, members })) unpauseAtHome(part.home, at);
}

/** Removes the tree, the branch and the vault's files. Removes the record last: until then this can be repeated. */
function removeAll(place: TrunkPlace, home: Spec): void {
  const { root } = home.project;
  const record = readTrunkRecord(place);
  if (record !== undefined) {
    const trunk = trunkAt(place, record, home, { isNew: false, leftOut: [], notes: [] });
    forgetCheckpoints(root, record.key);
    for (const { spec } of partsOf(trunk, record)) forgetSpec(spec);
  }
  removeTree(root, place.top);
  if (commitOf(root, place.branch) !== undefined && !removeBranch(root, place.branch)) return;
  removeTrunkRecord(place);
}

function describe(
  home: Spec,
  { branch }: TrunkPlace,
  { members }: TrunkRecord,
  rest: Pick<Taken, "into" | "how" | "commit" | "commits" | "unproven" | "isReceipted" | "notes">,
): Taken {
  const tasks = partsOf({ home, spec: home }, { files: {}, members }).flatMap((part) => {
    const file = readTasks(part.home);
    return file.kind === "ok" ? readSpecFacts(part.home, file.list).tasks : [];
  });
  return { spec: home, branch, ...rest, counts: countClasses(tasks) };
}

import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { commitPaths, listDirty } from "../git/commit-paths.ts";
import { knowTree, mendTree } from "../git/mend-tree.ts";
import { headOf } from "../git/own-tree.ts";
import { listTracked } from "../git/tracked.ts";
import { planNames, readWorkTree } from "../git/working-tree.ts";
import { renderMerge } from "../prompts/merge.ts";
import { findGit } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { ApartGround, RunGround } from "./ground.ts";
import type { Job } from "./jobs.ts";
import { watchTree } from "./trees/aftermath.ts";
import { comeBack, noteStart, rewindTo } from "./trees/attempt-start.ts";
import { checkOut } from "./trees/check-out.ts";
import { beginConflict, type Conflict, finishConflict } from "./trees/conflict.ts";
import { equip, type EquipOptions, type Equipped } from "./trees/equip.ts";
import { keepList } from "./trees/keep-list.ts";
import {
  bringBack,
  forgetMerge,
  noteMerge,
  undoMerge,
  undoUnsettled,
} from "./trees/merge-queue.ts";
import { closeTrunk, openTrunk } from "./trees/open-trunk.ts";
import { readTrunkRecord, writeTrunkRecord } from "./trees/record.ts";
import { openTaskTree, removeTaskTree, removeTaskTrees, type TaskTree } from "./trees/task-tree.ts";
import type { Trunk } from "./trees/trunk.ts";

/** A work tree and a branch of the run's own: the user's tree stays as it is. */
export async function openOwnGround(
  request: Request,
  home: Spec,
  options: EquipOptions,
  isInEpic = false,
): Promise<RunGround> {
  const trunk = openTrunk(home, request.now().at, isInEpic);
  // What a run that was killed left of a group: it begins again.
  undoUnsettled(trunk);
  removeTaskTrees(trunk);
  const { spec, branch, notes, leftOut } = trunk;
  const equipped = isEquipped(trunk) ? READY : await equip(request, trunk, options);
  if (equipped.failed !== undefined)
    throw new Refusal(
      "refused",
      equipped.failed,
      `fix run_setup in your settings; it printed: ${oneLine(equipped.output, 500)}`,
    );
  noteEquipped(trunk);
  const common = findGit(trunk.top)?.common;
  const writable = common === undefined ? [] : [common];
  const known = knowTree(trunk.top, branch);
  let base: string | undefined;
  return {
    spec,
    cwd: spec.project.root,
    isOwn: true,
    branch,
    writable,
    notes: [...notes, ...equipped.notes, ...(leftOut.length === 0 ? [] : [tellLeftOut(leftOut)])],
    begin(job) {
      noteStart(spec, job);
      const putBack = keepList(spec);
      base = headOf(trunk.top);
      const leave = watchTree(known, job, base);
      return () => {
        const left = leave();
        if (left.failed !== undefined && canRead(trunk)) rewindTo(spec, job);
        const strayed =
          left.failed ?? (base === undefined ? undefined : comeBack(trunk, job, base));
        return {
          notes: [...left.notes, ...(putBack() ? [tellPutBack(job)] : [])],
          ...(strayed === undefined ? {} : { failed: strayed }),
        };
      };
    },
    async rewind(job) {
      if (known !== undefined) mendTree(known, base);
      rewindTo(spec, job);
    },
    checkOut: () => checkOut(request, trunk, options),
    noteProven(proven) {
      const record = readTrunkRecord(trunk.place);
      if (record !== undefined) writeTrunkRecord(trunk.place, { ...record, proven });
    },
    apart: (job) => openApart(request, trunk, job, { writable, options }),
    close() {
      removeTaskTrees(trunk);
      closeTrunk(trunk);
    },
  };
}

const canRead = ({ top }: Trunk): boolean => readWorkTree(top) !== undefined;

/** One whose setup failed or was interrupted is not, however old it is. */
const isEquipped = ({ place }: Trunk): boolean => readTrunkRecord(place)?.equipped === true;

function noteEquipped({ place }: Trunk): void {
  const record = readTrunkRecord(place);
  if (record?.equipped === false) writeTrunkRecord(place, { ...record, equipped: true });
}

const READY: Equipped = { notes: [], output: "" };

const tellLeftOut = (names: readonly string[]): string =>
  `${counted(names.length, "uncommitted file")} of yours ${names.length === 1 ? "is" : "are"} not in the run's tree: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;

/** What git knows, and what the task lists. Anything else may be rubbish. */
function commitOwn(
  { top, project }: TaskTree,
  message: string,
  isListed: (name: string) => boolean,
): void {
  const dirty = listDirty(top);
  const tracked = listTracked(top, dirty);
  const shown = planNames(top, project.root);
  commitPaths(
    top,
    dirty.filter((name) => tracked.has(name) || isListed(shown(name))),
    message,
  );
}

const tellPutBack = ({ id }: Job): string =>
  `the agent of ${id} changed the list of tasks by hand; it is as it was`;

const tellLeft = ({ id }: Job, files: readonly string[]): string =>
  `${id} left files uncommitted that its Files do not name: ${files.slice(0, 5).join(", ")}. Commit them if they belong to it, or remove them.`;

async function openApart(
  request: Request,
  trunk: Trunk,
  job: Job,
  { writable, options }: { readonly writable: readonly string[]; readonly options: EquipOptions },
): Promise<ApartGround> {
  let tree = openTaskTree(trunk, job.id, job.attempt);
  // A setup that fails shows in the task's Verify, which is what counts.
  await equip(request, tree, options);
  let known = knowTree(tree.top, tree.branch);
  let conflict: Conflict | undefined;
  return {
    spec: tree.spec,
    cwd: tree.project.root,
    isOwn: true,
    writable,
    // Its list is a copy, which nobody looks at.
    begin: () => watchTree(known, job, tree.base),
    // Its branch is its own: what it has is kept under a ref when it is opened anew.
    async rewind() {
      if (known !== undefined) mendTree(known, tree.base);
      tree = openTaskTree(trunk, job.id, job.attempt);
      known = knowTree(tree.top, tree.branch);
      await equip(request, tree, options);
    },
    isBehind: () => headOf(trunk.top) !== tree.base,
    bringBack(message, isListed) {
      commitOwn(tree, message, isListed);
      noteMerge(trunk, job.id);
      const back = bringBack(tree);
      switch (back.kind) {
        case "merged": {
          const { before, after } = back;
          return { kind: "merged", commit: after, undo: () => undoMerge(trunk, before) };
        }
        case "uncommitted":
          return { kind: "failed", why: tellLeft(job, back.files) };
        default:
          return back;
      }
    },
    beginConflict({ id, title }) {
      const begun = beginConflict(tree);
      if ("failed" in begun) throw new Refusal("broken", `${id} cannot be merged: ${begun.failed}`);
      conflict = begun;
      if (begun.files.length === 0) return undefined;
      return renderMerge(trunk.project.layout, tree.spec, { ...begun, task: id, title });
    },
    finishConflict() {
      if (conflict === undefined) return undefined;
      // The merge is still open, and its agent is gone.
      const broken = known && mendTree(known, tree.base, { endsOperation: false });
      if (broken !== undefined) return broken;
      const end = finishConflict(tree, conflict);
      if (end.kind === "resolved") return undefined;
      return end.kind === "failed" ? end.why : `marks are left in ${end.files.join(", ")}`;
    },
    close() {
      forgetMerge(trunk);
      removeTaskTree(tree);
    },
  };
}

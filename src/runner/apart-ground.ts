import { join } from "node:path";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { commitPaths, listDirty } from "../git/commit-paths.ts";
import { headOf } from "../git/own-tree.ts";
import { rememberTree, repairTree } from "../git/repair-tree.ts";
import { pickClear } from "../git/tracked.ts";
import { planNames } from "../git/working-tree.ts";
import { renderMerge } from "../prompts/merge.ts";
import { listDisowned } from "../run/claim/disowned.ts";
import { LEAVE } from "../run/claim/judge-claim.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { type Aftermath, type ApartGround, NO_AFTERMATH } from "./ground.ts";
import type { Job } from "./jobs.ts";
import { watchTree } from "./trees/aftermath.ts";
import { beginConflict, type Conflict, finishConflict, tellUnresolved } from "./trees/conflict.ts";
import { equip, type EquipOptions } from "./trees/equip.ts";
import { rememberGiven } from "./trees/given-files.ts";
import type { HeldHead } from "./trees/hold-head.ts";
import { bringBack, forgetMerge, noteMerge, undoMerge } from "./trees/merge-queue.ts";
import { openTaskTree, removeTaskTree, type TaskTree } from "./trees/task-tree.ts";
import type { Trunk } from "./trees/trunk.ts";
import { findStrayLinks, watchMerge } from "./trees/watch-merge.ts";

/** A tree and a branch for one task of a group. */
export async function openApart(
  request: Request,
  trunk: Trunk,
  job: Job,
  {
    writable,
    options,
    head,
  }: {
    readonly writable: readonly string[];
    readonly options: EquipOptions;
    readonly head: HeldHead;
  },
): Promise<ApartGround> {
  head.keep();
  let tree = openTaskTree(trunk, job.id, job.attempt);
  // A setup that fails shows in the task's Verify, which is what counts.
  await equip(request, tree, options);
  let known = rememberTree(tree.top, tree.branch);
  let isGiven = rememberGiven(tree.top);
  let conflict: Conflict | undefined;
  let leave = (): Aftermath => NO_AFTERMATH;
  return {
    spec: tree.spec,
    cwd: tree.project.root,
    isOwn: true,
    writable,
    // Its list is a copy that nobody reads, so there is no list to restore.
    begin() {
      const end = watchTree(known, job, tree.base);
      return () => {
        const left = end();
        const failed = left.failed ?? head.takeLinked();
        return failed === undefined ? left : { ...left, failed };
      };
    },
    // Opening the tree again keeps what its branch has under a ref.
    async rewind() {
      if (known !== undefined) repairTree(known, tree.base);
      tree = openTaskTree(trunk, job.id, job.attempt);
      known = rememberTree(tree.top, tree.branch);
      await equip(request, tree, options);
      isGiven = rememberGiven(tree.top);
    },
    isBehind() {
      head.keep();
      return headOf(trunk.top) !== tree.base;
    },
    bringBack(message, { isListed, report }) {
      head.keep();
      const disowned = listDisownedIn(tree, isListed, report);
      const isLeft = (name: string): boolean => isGiven(name) || disowned.has(name);
      const fault = commitOwn(tree, message, isListed, isLeft);
      if (fault !== undefined)
        return { kind: "failed", why: `The work of ${job.id} cannot be committed: ${fault}` };
      const links = findStrayLinks(tree.top, job.id, tree.base, conflict?.commit);
      if (links !== undefined) return { kind: "failed", why: links };
      noteMerge(trunk, job.id);
      // What git does not track of the spec's own folder is never a task's work.
      const result = bringBack(tree, undefined, (name) => isLeft(name) || isOwn(tree, name));
      head.note();
      switch (result.kind) {
        case "merged": {
          const { before, after } = result;
          const undo = (): void => {
            undoMerge(trunk, before);
            head.note();
          };
          return { kind: "merged", before, commit: after, undo };
        }
        case "uncommitted":
          return { kind: "failed", why: tellLeft(job, result.files) };
        default:
          return result;
      }
    },
    beginConflict({ id, title }) {
      head.keep();
      const begun = beginConflict(tree);
      if ("failed" in begun) throw new Refusal("broken", `${id} cannot be merged: ${begun.failed}`);
      conflict = begun;
      leave = () => NO_AFTERMATH;
      if (begun.files.length === 0) return undefined;
      leave = watchMerge(tree, id, begun.commit);
      return renderMerge(trunk.project.layout, tree.spec, { ...begun, task: id, title });
    },
    finishConflict() {
      const left = leave();
      if (conflict === undefined || left.failed !== undefined) return left;
      const failed = tellUnresolved(finishConflict(tree, conflict));
      return failed === undefined ? left : { ...left, failed };
    },
    close() {
      head.keep();
      forgetMerge(trunk);
      removeTaskTree(tree);
    },
  };
}

const isOwn = ({ top, spec }: TaskTree, name: string): boolean =>
  isSameOrBelow(join(top, name), spec.folder);

function commitOwn(
  tree: TaskTree,
  message: (isOnlyNotes: boolean) => string,
  isListed: (name: string) => boolean,
  isLeft: (name: string) => boolean,
): string | undefined {
  const { top, project } = tree;
  const shown = planNames(top, project.root);
  const dirty = listDirty(top).filter((name) => !isLeft(name));
  const names = pickClear(top, dirty, (name) => isListed(shown(name)));
  const isOnlyNotes = names.every((name) => isOwn(tree, name));
  return commitPaths(top, names, message(isOnlyNotes));
}

function listDisownedIn(
  { top, project }: TaskTree,
  isListed: (name: string) => boolean,
  report: string,
): ReadonlySet<string> {
  const shown = planNames(top, project.root);
  const dirty = listDirty(top).filter((name) => !isListed(shown(name)));
  const disowned = listDisowned(report, dirty.map(shown), new Set());
  return new Set(dirty.filter((name) => disowned.includes(shown(name))));
}

const tellLeft = ({ id }: Job, files: readonly string[]): string =>
  `${id} left uncommitted files that its Files do not name: ${files.slice(0, 5).join(", ")}. Commit them if they belong to it, or remove them. ${LEAVE}`;

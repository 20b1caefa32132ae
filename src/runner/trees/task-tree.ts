import { basename, join } from "node:path";
import { writePointer } from "../../engine/activate-spec.ts";
import { copySettings } from "../../engine/branch.ts";
import { Refusal } from "../../engine/refusal.ts";
import { keepCommit, keepWork } from "../../git/aside.ts";
import { listBranches } from "../../git/branch.ts";
import { listDirty } from "../../git/commit-paths.ts";
import {
  addTree,
  commitOf,
  headOf,
  isAncestor,
  removeBranch,
  removeTree,
  unlockTree,
} from "../../git/own-tree.ts";
import { refPart } from "../../git/repository.ts";
import { findGit } from "../../store/git-files.ts";
import type { Project } from "../../store/project.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { oneLine } from "../../text/template.ts";
import { digest, namesIn, type TrunkPlace } from "./record.ts";
import {
  bookkeepingIn,
  isRunFile,
  readSpecFile,
  readSpecFiles,
  writeSpecFile,
} from "./spec-files.ts";
import { projectThere, specThere, type Trunk } from "./trunk.ts";

/** The work tree of one attempt at one task of a parallel group. */
export interface TaskTree {
  readonly trunk: Trunk;
  readonly task: string;
  readonly attempt: number;
  readonly top: string;
  readonly branch: string;
  /** The commit of the run's branch that it was begun at. */
  readonly base: string;
  readonly project: Project;
  /** The spec's documents as they are there: no state and no journal, which are the trunk's. */
  readonly spec: Spec;
}

/** Begun at the trunk's last commit. What an earlier attempt left is kept under a ref. */
export function openTaskTree(trunk: Trunk, task: string, attempt: number): TaskTree {
  const { top, branch } = namesFor(trunk.place, task);
  dropTree(trunk, { task, top, branch });
  const base = headOf(trunk.top);
  const why = base === undefined ? "it has no commit" : addTree(trunk.top, top, branch, base);
  if (base === undefined || why !== undefined)
    throw new Refusal(
      "broken",
      `no work tree for ${oneLine(task, 80)}: ${oneLine(why ?? "", 300)}`,
    );
  copySettings(trunk.project, projectThere(trunk.project, top).root);
  const project = projectThere(trunk.project, top);
  const spec = specThere(trunk.spec, project);
  for (const file of isFolder(trunk.spec.folder) ? readSpecFiles(trunk.spec) : [])
    if (!isRunFile(trunk.spec, file.name) || file.name === basename(trunk.spec.progress))
      writeSpecFile(spec, file);
  if (isFolder(spec.folder)) writePointer(spec);
  return { trunk, task, attempt, top, branch, base, project, spec };
}

/** No two tasks have the same, whatever their ids are made of. */
function namesFor({ top, branch }: TrunkPlace, task: string): { top: string; branch: string } {
  const part = refPart(task);
  const suffix = `+${part.length > 60 ? `${part.slice(0, 50)}-${digest(task, 8)}` : part}`;
  return { top: top + suffix, branch: branch + suffix };
}

/** Removes a task's work tree and branch. What the run's branch does not have is kept under a ref first. */
export const removeTaskTree = ({ trunk, task, top, branch }: TaskTree): void =>
  dropTree(trunk, { task, top, branch });

function dropTree(
  trunk: Pick<Trunk, "top" | "spec">,
  { task, top, branch }: { task: string; top: string; branch: string },
): void {
  const git = isFolder(top) ? findGit(top) : undefined;
  const isTree = git?.top === top;
  if (isTree) unlockTree(top);
  const head = (isTree ? headOf(top) : undefined) ?? commitOf(trunk.top, branch);
  const work =
    isTree && head !== undefined && hasWork(trunk, top) ? keepWork(git, head, task) : head;
  const commits = [work, commitOf(trunk.top, branch)].filter((one) => one !== undefined);
  for (const commit of new Set(commits)) {
    const isThere =
      isAncestor(trunk.top, commit, "HEAD") ||
      (commit !== work && isAncestor(trunk.top, commit, work ?? commit));
    if (!isThere && keepCommit(trunk.spec, task, commit) === undefined)
      throw new Refusal("broken", `git cannot keep what is in ${top}, so it stays`);
  }
  if (isFolder(top) || isTree) removeTree(trunk.top, top);
  if (commitOf(trunk.top, branch) !== undefined) {
    // Git remembers a work tree whose folder is gone, and then does not let its branch go.
    removeTree(trunk.top, top);
    removeBranch(trunk.top, branch);
  }
}

/** Whether anything is uncommitted that did not come from the trunk. */
function hasWork({ spec }: Pick<Trunk, "spec">, top: string): boolean {
  const there = specThere(spec, projectThere(spec.project, top));
  const isOurs = bookkeepingIn(there, top);
  const same = new Set(
    readSpecFiles(there)
      .filter(({ name, hash }) => readSpecFile(spec, name)?.hash === hash)
      .map(({ name }) => realPathOf(join(there.folder, name))),
  );
  return listDirty(top).some((name) => !isOurs(name) && !same.has(realPathOf(join(top, name))));
}

/** The task trees that a run left, by what comes after the `+` of their names; of some only the branch is left. */
function listTaskTrees(
  { all, top, branch }: TrunkPlace,
  root: string,
): { readonly task: string; readonly top: string; readonly branch: string }[] {
  const folders = namesIn(all)
    .filter((name) => name.startsWith(`${basename(top)}+`))
    .map((name) => name.slice(basename(top).length));
  const branches = listBranches(root)
    .filter((name) => name.startsWith(`${branch}+`))
    .map((name) => name.slice(branch.length));
  return [...new Set([...folders, ...branches])].map((suffix) => ({
    task: suffix.slice(1),
    top: join(all, basename(top) + suffix),
    branch: branch + suffix,
  }));
}

/** Removes the task trees of a run that is over. */
export function removeTaskTrees(trunk: Pick<Trunk, "top" | "spec" | "place">): number {
  const left = listTaskTrees(trunk.place, trunk.top);
  for (const one of left) dropTree(trunk, one);
  return left.length;
}

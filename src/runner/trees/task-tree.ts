import { basename, join } from "node:path";
import { writePointer } from "../../engine/activate-spec.ts";
import { copySettings } from "../../engine/branch.ts";
import { isAskFile } from "../../engine/left-questions.ts";
import { Refusal } from "../../engine/refusal.ts";
import { sameProjectIn, sameSpecIn } from "../../engine/run-trees.ts";
import { namesIn, type TrunkPlace } from "../../engine/trunk-record.ts";
import { keepCommit } from "../../git/aside.ts";
import { listBranches } from "../../git/branch.ts";
import { collectPrivateGit } from "../../git/collect-private.ts";
import { keepTree, listLone, listUncommitted } from "../../git/keep-all.ts";
import {
  addTree,
  commitOf,
  headOf,
  isAncestor,
  removeBranch,
  removeTree,
} from "../../git/own-tree.ts";
import { refPart } from "../../git/repository.ts";
import { isRunFile } from "../../store/bookkeeping.ts";
import { findGit, type GitDirs, pinTop } from "../../store/git-files.ts";
import type { Project } from "../../store/project.ts";
import { faultIn } from "../../store/read.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { sha256 } from "../../text/hash.ts";
import { oneLine } from "../../text/template.ts";
import { bookkeepingIn, readSpecFile, readSpecFiles, writeSpecFile } from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/** The work tree of one attempt at one task of a parallel group. */
export interface TaskTree {
  readonly trunk: Trunk;
  readonly task: string;
  readonly attempt: number;
  readonly top: string;
  readonly branch: string;
  /** The commit of the run's branch at which it began. */
  readonly base: string;
  readonly project: Project;
  /** The spec in this tree: documents only. State and journal are the trunk's. */
  readonly spec: Spec;
}

/** Opens a tree at the trunk's last commit. Keeps what an earlier attempt left under a ref. */
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
  copySettings(trunk.project, sameProjectIn(trunk.project, top).root);
  const project = sameProjectIn(trunk.project, top);
  const spec = sameSpecIn(trunk.spec, project);
  for (const file of isFolder(trunk.spec.folder) ? readSpecFiles(trunk.spec) : [])
    if (!isRunFile(trunk.spec, file.name) || file.name === basename(trunk.spec.progress))
      writeSpecFile(spec, file);
  if (isFolder(spec.folder)) writePointer(spec);
  return { trunk, task, attempt, top, branch, base, project, spec };
}

/** Names that are unique to a task, whatever characters its id has. */
function namesFor({ top, branch }: TrunkPlace, task: string): { top: string; branch: string } {
  const part = refPart(task);
  const suffix = `+${part.length > 60 ? `${part.slice(0, 50)}-${sha256(task).slice(0, 8)}` : part}`;
  pinTop(top + suffix);
  return { top: top + suffix, branch: branch + suffix };
}

/** Removes a task's work tree and branch. First keeps what the run's branch does not have under a ref. */
export const removeTaskTree = ({ trunk, task, top, branch }: TaskTree): void =>
  dropTree(trunk, { task, top, branch });

function dropTree(
  trunk: Pick<Trunk, "top" | "spec">,
  { task, top, branch }: { task: string; top: string; branch: string },
): void {
  const git = isFolder(top) ? findGit(top) : undefined;
  const isTree = git?.top === top;
  if (isTree) collectPrivateGit(top, { isLive: false });
  const head = (isTree ? headOf(top) : undefined) ?? commitOf(trunk.top, branch);
  const work =
    isTree && head !== undefined && (hasWork(trunk, git) || listLone(git).length > 0)
      ? keepTree(git, `set aside, ${task}`, { heads: [head], mayMiss: true })
      : head;
  if (isTree && work === undefined) throw cannotKeep(top);
  const commits = [work, commitOf(trunk.top, branch)].filter((one) => one !== undefined);
  for (const commit of new Set(commits)) {
    const isThere =
      isAncestor(trunk.top, commit, "HEAD") ||
      (commit !== work && isAncestor(trunk.top, commit, work ?? commit));
    if (!isThere && keepCommit(trunk.spec, task, commit) === undefined) throw cannotKeep(top);
  }
  if (isFolder(top) || isTree) removeTree(trunk.top, top);
  if (commitOf(trunk.top, branch) !== undefined) {
    // Git still lists a work tree whose folder is gone, and then refuses to delete its branch.
    removeTree(trunk.top, top);
    removeBranch(trunk.top, branch);
  }
}

export const cannotKeep = (top: string): Refusal =>
  new Refusal("broken", `git cannot keep what is in ${top}, so it stays`);

/** Whether anything is uncommitted that did not come from the trunk. */
function hasWork({ spec }: Pick<Trunk, "spec">, git: GitDirs): boolean {
  const { top } = git;
  const inTree = sameSpecIn(spec, sameProjectIn(spec.project, top));
  const isOurs = bookkeepingIn(inTree);
  const same = new Set(
    readSpecFiles(inTree)
      .filter(({ name, hash }) => readSpecFile(spec, name)?.hash === hash)
      .map(({ name }) => realPathOf(join(inTree.folder, name))),
  );
  return listUncommitted(git).some(
    (name) => !isOurs(name) && !same.has(realPathOf(join(top, name))),
  );
}

/** The task trees that a run left, found by the `+` in their names. Some have only a branch left. */
export function listTaskTrees(
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
  for (const one of left) {
    keepAsked(trunk.spec, one.top);
    dropTree(trunk, one);
  }
  return left.length;
}

/** What its agent asked, if the runner was killed before it took that: the next one finds it with the spec. */
function keepAsked(to: Spec, top: string): void {
  const from = sameSpecIn(to, sameProjectIn(to.project, top));
  if (!isFolder(from.folder) || !isFolder(to.folder)) return;
  for (const name of namesIn(from.folder).filter(isAskFile))
    faultIn(() => {
      const file = readSpecFile(from, name);
      if (file !== undefined) writeSpecFile(to, file);
    });
}

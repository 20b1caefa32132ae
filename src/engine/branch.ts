import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  addWorktree,
  type BranchResult,
  createBranch,
  removeWorktree,
  switchToBranch,
} from "../git/branch.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { openProject, type Project } from "../store/project.ts";
import { MAX_BYTES } from "../store/read.ts";
import { oneLine } from "../text/template.ts";
import { branchFor } from "./numbering.ts";
import { Refusal } from "./refusal.ts";

/** Where a new spec is worked on. Undefined: the settings decide. */
export type BranchOption = "branch" | "worktree" | "none" | undefined;

/** Works on the same project in its own worktree, which is removed if that fails. */
export function inNewWorktree<T>(
  option: BranchOption,
  here: Project,
  name: string,
  work: (there: Project) => T,
): T {
  const tree = requireBranch(option, here, addWorktree(here.root, branchFor(here, name), name));
  try {
    copySettings(here, tree.folder);
    return work(openProject(here.layout, tree.folder));
  } catch (error) {
    removeWorktree(here.root, tree);
    throw error;
  }
}

/** These belong to one user and are mostly not committed, but they apply to the project. */
export function copySettings(here: Project, folder: string): void {
  const { settingsFile } = here.layout;
  const file = readProjectFile(here, join(here.root, settingsFile), MAX_BYTES.settings);
  const to = join(folder, settingsFile);
  if (file.kind !== "ok" || existsSync(to)) return;
  const there = { root: folder, outside: [] };
  makeProjectFolder(there, dirname(to));
  writeProjectFile(there, to, file.text, file.encoding);
}

export const checkOutBranch = (option: BranchOption, project: Project, name: string): string =>
  requireBranch(option, project, switchToBranch(project.root, branchFor(project, name))).branch;

/** What quick mode works on if nobody said otherwise, in a sentence: a branch of its own, or none if that is not possible. */
export function branchOff(project: Project, name: string): string {
  const { root } = project;
  const from = readBranch(findGit(root));
  const made = createBranch(root, branchFor(project, name));
  if (made.kind === "failed")
    return `No branch of its own: ${oneLine(made.why)}. Working on what is checked out.`;
  return from === undefined || from === made.branch
    ? `On branch ${made.branch}.`
    : `On its own branch ${made.branch}, made from ${from}; --no-branch would have stayed there.`;
}

function requireBranch(
  option: BranchOption,
  project: Project,
  result: BranchResult,
): Extract<BranchResult, { kind: "ok" }> {
  if (result.kind === "ok") return result;
  const what = (option ?? project.settings.branch) === "worktree" ? "worktree" : "branch";
  const fix =
    option === undefined ? `set branch: none in ${project.user.path}` : `try without --${option}`;
  throw new Refusal("refused", `could not create the ${what}: ${result.why}`, fix);
}

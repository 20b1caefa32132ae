import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addWorktree, type BranchResult, removeWorktree, switchToBranch } from "../git/branch.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { openProject, type Project } from "../store/project.ts";
import { MAX_BYTES } from "../store/read.ts";
import { Refusal } from "./refusal.ts";

/** Where a new spec is worked on. Undefined: the settings decide. */
export type BranchOption = "branch" | "worktree" | undefined;

/** Works on the same project in its own worktree, which is removed if that fails. */
export function inNewWorktree<T>(
  option: BranchOption,
  here: Project,
  name: string,
  work: (there: Project) => T,
): T {
  const tree = requireBranch(
    option,
    here,
    addWorktree(here.root, here.layout.branchFor(name), name),
  );
  try {
    copySettings(here, tree.folder);
    return work(openProject(here.layout, tree.folder));
  } catch (error) {
    removeWorktree(here.root, tree);
    throw error;
  }
}

/** These belong to one user and are mostly not committed, but they apply to the project. */
function copySettings(here: Project, folder: string): void {
  const { settingsFile } = here.layout;
  const file = readProjectFile(here, join(here.root, settingsFile), MAX_BYTES.settings);
  const to = join(folder, settingsFile);
  if (file.kind !== "ok" || existsSync(to)) return;
  const there = { root: folder, outside: [] };
  makeProjectFolder(there, dirname(to));
  writeProjectFile(there, to, file.text, file.encoding);
}

export const checkOutBranch = (option: BranchOption, project: Project, name: string): string =>
  requireBranch(option, project, switchToBranch(project.root, project.layout.branchFor(name)))
    .branch;

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

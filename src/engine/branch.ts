import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addWorktree, type BranchResult, removeWorktree, switchToBranch } from "../git/branch.ts";
import { openProject, type Project } from "../store/project.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { MAX_BYTES } from "../store/read.ts";
import { Refusal } from "./refusal.ts";

/** Where a new spec is worked on. Undefined leaves it to the settings. */
export type BranchOption = "branch" | "worktree" | undefined;

/** Works on the same project in a worktree of its own; one in which that fails does not stay. */
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

/** They are one user's own and mostly not committed, but they hold for the project. */
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

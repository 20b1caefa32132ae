import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addWorktree, type Branched, removeWorktree, switchToBranch } from "../git/branch.ts";
import { openProject, type Project } from "../store/project.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { MAX_BYTES } from "../store/read.ts";
import { CliError, EXIT, type Input } from "../apps/cli/command.ts";

export type BranchWish = "none" | "branch" | "worktree";

/** What a new spec is to get: what the command says, or else the settings. */
export function branchWish(input: Input, { settings }: Project): BranchWish {
  if (input.options["worktree"] === true) return "worktree";
  return input.options["branch"] === true ? "branch" : settings.branch;
}

/** Spec Kit's own scripts tell the feature by the branch's name. */
const branchOf = (project: Project, name: string): string =>
  project.layout.id === "speckit" ? name : `feat/${name}`;

/** Works on the same project in a work tree of its own; one in which that fails does not stay. */
export function inNewWorktree<T>(
  input: Input,
  here: Project,
  name: string,
  work: (there: Project) => T,
): T {
  const made = succeeded(input, here, addWorktree(here.root, branchOf(here, name), name));
  try {
    takeSettings(here, made.folder);
    return work(openProject(here.layout, made.folder));
  } catch (error) {
    removeWorktree(here.root, made);
    throw error;
  }
}

/** They are one user's own and mostly not committed, but they hold for the project. */
function takeSettings(here: Project, folder: string): void {
  const { settingsFile } = here.layout;
  const file = readProjectFile(here, join(here.root, settingsFile), MAX_BYTES.settings);
  const to = join(folder, settingsFile);
  if (file.kind !== "ok" || existsSync(to)) return;
  const there = { root: folder, outside: [] };
  makeProjectFolder(there, dirname(to));
  writeProjectFile(there, to, file.text, file.encoding);
}

export const checkOut = (input: Input, project: Project, name: string): string =>
  succeeded(input, project, switchToBranch(project.root, branchOf(project, name))).branch;

type Made = Extract<Branched, { kind: "ok" }>;

function succeeded(input: Input, project: Project, made: Branched): Made {
  if (made.kind === "ok") return made;
  const wish = branchWish(input, project);
  const what = wish === "worktree" ? "work tree" : "branch";
  const fix =
    input.options[wish] === true
      ? `try without --${wish}`
      : `set branch: none in ${project.user.path}`;
  throw new CliError(EXIT.refused, `the ${what} could not be made, ${made.why}`, fix);
}

import { addWorktree, type Branched, switchToBranch } from "../store/branch.ts";
import { openProject, type Project } from "../store/project.ts";
import { CliError, EXIT, type Input } from "./command.ts";

export type BranchWish = "none" | "branch" | "worktree";

/** What a new spec is to get: what the command says, or else the settings. */
export function branchWish(input: Input, { settings }: Project): BranchWish {
  if (input.options["worktree"] === true) return "worktree";
  return input.options["branch"] === true ? "branch" : settings.branch;
}

/** Spec Kit's own scripts tell the feature by the branch's name. */
const branchOf = (project: Project, name: string): string =>
  project.layout.id === "speckit" ? name : `feat/${name}`;

/** The same project, in a work tree of its own. */
export function openWorktree(project: Project, name: string): Project {
  const made = addWorktree(project.root, branchOf(project, name), name);
  return openProject(project.layout, succeeded(made, "work tree").folder);
}

export const checkOut = (project: Project, name: string): string =>
  succeeded(switchToBranch(project.root, branchOf(project, name)), "branch").branch;

function succeeded(made: Branched, what: string): Extract<Branched, { kind: "ok" }> {
  if (made.kind === "ok") return made;
  throw new CliError(EXIT.refused, `the ${what} could not be made, ${made.why}`, "try without it");
}

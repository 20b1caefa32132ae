import { basename } from "node:path";
import { listBranches, readAuthor } from "../git/branch.ts";
import { type BranchFacts, branchScope, renderBranch } from "../spec/branch-name.ts";
import { addNumber, dropNumber, isNumbered, makeUnique, numberIn } from "../spec/name.ts";
import { listArchived } from "../store/archive.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import { readBranchTemplate, readNumbering } from "../store/peer-options.ts";
import type { Project } from "../store/project.ts";
import { reservedIn } from "../store/spec.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** Gives a new spec its number, in a layout that has numbers. */
export interface Numbers {
  readonly add: (name: string, taken: readonly string[]) => string;
}

/** Spec Kit's way: the next number, or the date and time if the project was set up for that. */
export function readNumbers(request: Request, project: Project): Numbers | undefined {
  if (!project.layout.numbered) return undefined;
  if (readNumbering(project) === "timestamp") {
    const stamp = formatStamp(new Date(request.now().at));
    return {
      add: (name, taken) => makeUnique(isNumbered(name) ? name : `${stamp}-${name}`, taken),
    };
  }
  const archived = listArchived(project).map(({ name }) => name);
  const branches = branchesIn(project);
  const here = lastPart(readBranch(findGit(project.root)) ?? "");
  return {
    add(name, taken) {
      if (isNumbered(name)) return makeUnique(name, taken);
      const isFree = (branch: string): boolean =>
        numberIn(branch) !== "" &&
        ![...taken, ...archived].some((one) => numberIn(one) === numberIn(branch));
      // Somebody, or Spec Kit's git extension, has made its branch already.
      const own = [here, ...branches].find(
        (branch) => isFree(branch) && (branch === here || dropNumber(branch) === name),
      );
      if (own !== undefined) return `${numberIn(own)}${name}`;
      // A number is used once, even if its spec has been archived, or is only on somebody's branch.
      return addNumber(name, taken, [...archived, ...branches]);
    },
  };
}

/** The last part of each branch that may be a spec's. */
function branchesIn(project: Project): string[] {
  if (findGit(project.root) === undefined) return [];
  const template = readBranchTemplate(project);
  const scope = template === undefined ? "" : branchScope(template, factsOf(project));
  return listBranches(project.root)
    .filter((branch) => branch.startsWith(scope))
    .map(lastPart);
}

const lastPart = (branch: string): string => branch.slice(branch.lastIndexOf("/") + 1);

/** The branch of a spec. */
export function branchFor(project: Project, name: string): string {
  const template = readBranchTemplate(project);
  return template === undefined
    ? project.layout.branchFor(name)
    : renderBranch(template, name, factsOf(project));
}

const factsOf = ({ root }: Project): BranchFacts => ({
  author: readAuthor(root),
  app: basename(root),
});

/** `20261116-093000`, by the clock on the user's wall. */
function formatStamp(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("");
  return `${day}-${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join("")}`;
}

/** For a name that somebody chose; one that is made of something else gets a number instead. */
export function refuseReserved(project: Project, name: string): void {
  if (!reservedIn(project).includes(name.toLowerCase())) return;
  throw new Refusal(
    "usage",
    `"${name}" cannot be the name of a ${project.layout.unit}: that folder holds something else`,
    `choose another name, like ${name}-page`,
  );
}

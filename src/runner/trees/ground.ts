import { readdirSync, statSync } from "node:fs";
import { Refusal } from "../../engine/refusal.ts";
import { BRANCH_PREFIX, placeOf, treesFolder, type TrunkPlace } from "../../engine/trunk-record.ts";
import { readOperation } from "../../git/operation.ts";
import { commitOf, headOf } from "../../git/own-tree.ts";
import { reasonIn, runGit } from "../../git/run.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findGit } from "../../store/git-files.ts";
import type { Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";

const HERE = "or work here with --here";

/** Where a run of this spec has its work tree; refuses if it cannot have one. `isInEpic`: its home is an epic's tree. */
export function requireGround(home: Spec, isInEpic = false): TrunkPlace {
  const { project, folder } = home;
  const git = findGit(project.root);
  const refuse = (why: string, fix: string): never => {
    throw new Refusal("refused", why, fix);
  };
  if (git === undefined)
    return refuse(
      "this is not a git repository, so the run cannot have a work tree of its own",
      `git init && git add --all && git commit, ${HERE}`,
    );
  const inside = runGit(project.root, ["rev-parse", "--is-inside-work-tree"]);
  if (!inside.ok) return refuse(reasonIn(inside.err), "fix that and try again");
  if (inside.out.trim() !== "true")
    return refuse(
      "this is a bare repository, which has no files to work on",
      "git worktree add <folder>, and run it there",
    );
  if (headOf(project.root) === undefined)
    return refuse(
      "the repository has no commit yet, so there is nothing to begin a branch at",
      `git add --all && git commit, ${HERE}`,
    );
  const busy = readOperation(git);
  if (busy !== undefined)
    return refuse(`git is in the middle of a ${busy}`, `finish or abort it first, ${HERE}`);
  const top = realPathOf(git.top);
  const real = realPathOf(folder);
  const other = isThere(folder) ? findGit(real)?.top : git.top;
  if (!isSameOrBelow(real, realPathOf(project.root)) || realPathOf(other ?? "") !== top)
    return refuse(
      `${home.basePath} is not in the repository of the project`,
      "work on it where it is, with --here",
    );
  const place = placeOf(home);
  if (place === undefined)
    return refuse("you have no private folder for the run's work tree", `set HOME, ${HERE}`);
  if (!isInEpic && isSameOrBelow(top, treesFolder() as string))
    return refuse(
      "this is the work tree of a run",
      `run it in your own work tree, or ${SHELL_PROGRAM} take there first`,
    );
  return place;
}

/** Refuses if something that is not ours has the branch's or the folder's name. */
export function refuseTaken(root: string, { branch, top }: TrunkPlace): void {
  const [above = ""] = BRANCH_PREFIX.split("/");
  if (commitOf(root, above) !== undefined)
    throw new Refusal(
      "refused",
      `there is a branch ${above}, so git cannot make the run's branch ${branch}`,
      `rename it (git branch -m ${above} <other name>), or work here with --here`,
    );
  if (commitOf(root, branch) !== undefined)
    throw new Refusal(
      "refused",
      `there is already a branch ${branch}, and no run on this machine made it`,
      `rename it (git branch -m ${branch} <other name>), or work here with --here`,
    );
  if (isThere(top) && readdirSync(top).length > 0)
    throw new Refusal(
      "refused",
      `${top} is in the way, and no run made it`,
      "move it away, or work here with --here",
    );
}

const isThere = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

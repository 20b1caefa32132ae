import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { findSubmoduleWork } from "../../git/submodule-work.ts";
import { findGit, type GitDirs, pinTop } from "../../store/git-files.ts";
import { oneLine } from "../../text/template.ts";
import type { Trunk } from "./trunk.ts";

/** Refuses if a submodule of a tree that is to be removed has work that is nowhere else. */
export function refuseSubmoduleWork({ home }: Pick<Trunk, "home">, git: GitDirs): void {
  const { root } = home.project;
  const { top } = git;
  const own = findGit(root)?.top ?? root;
  const work = findSubmoduleWork(git, (name, commit) => hasCommit(join(own, name), commit));
  if (work === undefined) return;
  const { name, file = "", tip } = work;
  const place = JSON.stringify(join(top, name));
  const what = `submodule ${oneLine(name, 200)} in ${top} has`;
  if (tip === undefined)
    throw new Refusal(
      "refused",
      `${what} uncommitted files, which would be gone with the tree: ${oneLine(file, 200)}`,
      `look at them with git -C ${place} status; commit and push them there, copy them, or remove them, and try again`,
    );
  const target = JSON.stringify(join(own, name));
  const branch = `run-${tip.commit.slice(0, 9)}`;
  throw new Refusal(
    "refused",
    `${what} commits that neither its remote nor your own submodule has, at ${oneLine(tip.ref, 200)} (${tip.commit.slice(0, 9)})`,
    `push them from ${place}, or git -C ${target} fetch ${JSON.stringify(tip.repository)} ${tip.ref}:refs/heads/${branch} (check it out first if it is not: git submodule update --init), and try again`,
  );
}

/**
 * A submodule's commit may exist only in the run's tree, which is removed when its branch is taken. Refuses unless the
 * user's submodules have every commit that the branch refers to.
 */
export function requireSubmodules({ home, top }: Trunk, mine: string, head: string): void {
  const { root } = home.project;
  const own = findGit(root)?.top ?? root;
  const { out } = runGit(root, [
    "diff",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    `${mine}...${head}`,
  ]);
  const fields = namesOf(out);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode, , commit = ""] = (fields[at] as string).split(" ");
    const name = fields[at + 1] as string;
    if (mode !== "160000" || hasCommit(join(own, name), commit)) continue;
    throw new Refusal(
      "refused",
      `your submodule ${oneLine(name, 200)} does not have commit ${commit.slice(0, 9)}, which the run's branch refers to`,
      `git -C ${JSON.stringify(join(own, name))} fetch ${JSON.stringify(join(top, name))} HEAD (check it out first if it is not: git submodule update --init), and try again`,
    );
  }
}

function hasCommit(folder: string, commit: string): boolean {
  // The user's own: submodules that a task adds are refused.
  pinTop(folder);
  return (
    findGit(folder)?.top === folder && runGit(folder, ["cat-file", "-e", `${commit}^{commit}`]).ok
  );
}

import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { findGit, pinTop } from "../../store/git-files.ts";
import { oneLine } from "../../text/template.ts";
import type { Trunk } from "./trunk.ts";

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

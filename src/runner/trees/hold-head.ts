import { dropNewGitLinks, readGitLinks } from "../../git/git-links.ts";
import { headOf, isAncestor } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import { findGit } from "../../store/git-files.ts";
import type { Trunk } from "./trunk.ts";

/** Remembers the trunk's newest commit while agents work in other trees, which share its branches. */
export interface HeldHead {
  /** Call after our own steps: from here on, this commit must stay on the branch. */
  readonly note: () => void;
  /** Call before our own steps: puts the branch back if an agent has taken commits off it, and removes its links. */
  readonly keep: () => void;
  /** Why the next work is refused, if there were links. It may be another agent's that ends first. */
  readonly takeLinked: () => string | undefined;
}

export function holdHead({ top, branch }: Pick<Trunk, "top" | "branch">): HeldHead {
  let head = headOf(top);
  const git = findGit(top);
  const links = git === undefined ? {} : readGitLinks(git);
  let linked: string | undefined;
  return {
    note: () => void (head = headOf(top)),
    takeLinked() {
      const said = linked;
      linked = undefined;
      return said;
    },
    keep() {
      if (git !== undefined) linked = dropNewGitLinks(git, links) ?? linked;
      const now = headOf(top);
      if (head === undefined || (now !== undefined && isAncestor(top, head, now))) return;
      runGit(top, ["update-ref", `refs/heads/${branch}`, head]);
      runGit(top, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
    },
  };
}

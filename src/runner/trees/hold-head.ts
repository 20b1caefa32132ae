import { headOf, isAncestor } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import type { Trunk } from "./trunk.ts";

/** Remembers the trunk's newest commit while agents work in other trees, which share its branches. */
export interface HeldHead {
  /** Call after our own steps: from here on, this commit must stay on the branch. */
  readonly note: () => void;
  /** Call before our own steps: puts the branch back if an agent has taken commits off it. */
  readonly keep: () => void;
}

export function holdHead({ top, branch }: Pick<Trunk, "top" | "branch">): HeldHead {
  let head = headOf(top);
  return {
    note: () => void (head = headOf(top)),
    keep() {
      const now = headOf(top);
      if (head === undefined || (now !== undefined && isAncestor(top, head, now))) return;
      runGit(top, ["update-ref", `refs/heads/${branch}`, head]);
      runGit(top, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
    },
  };
}

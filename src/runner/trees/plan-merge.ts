import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { mergeIn } from "../../git/join.ts";
import { headOf, isAncestor, LONG, removeTree } from "../../git/own-tree.ts";
import { reasonIn, runGit } from "../../git/run.ts";
import { processName } from "../../store/process-id.ts";
import { quotePath } from "../../text/quote.ts";
import { oneLine } from "../../text/template.ts";
import type { Taken } from "./take.ts";
import type { Trunk } from "./trunk.ts";

const MAX_NAMED = 10;

/** The commit that the user's branch moves to. Merges in a separate tree, so that the user's is never half merged. */
export function planMerge(trunk: Trunk, mine: string, head: string): Pick<Taken, "how" | "commit"> {
  const { root } = trunk.home.project;
  if (isAncestor(root, head, mine)) return { how: "nothing", commit: mine };
  if (isAncestor(root, mine, head)) return { how: "fast-forward", commit: head };
  const { all, branch } = trunk.place;
  const top = join(all, `taking.${processName()}`);
  try {
    const args = ["worktree", "add", "--quiet", "--detach", top, mine];
    const { ok, err } = runGit(root, args, LONG);
    if (!ok)
      throw new Refusal("broken", `the merge cannot be made: ${oneLine(reasonIn(err), 300)}`);
    const merged = mergeIn(top, head, `Merge branch '${branch}'`);
    if (merged.kind === "failed")
      throw new Refusal("broken", `the merge cannot be made: ${oneLine(merged.why, 300)}`);
    if (merged.kind === "conflict") throw conflictIn(merged.files, branch);
    return { how: "merge", commit: headOf(top) as string };
  } finally {
    removeTree(root, top);
  }
}

const conflictIn = (files: readonly string[], branch: string): Refusal =>
  new Refusal(
    "refused",
    `your branch and the run's both changed ${nameSome(files)}; nothing has changed`,
    `git merge ${branch} does it by hand; take again afterwards brings the rest`,
  );

export const nameSome = (files: readonly string[]): string =>
  files
    .slice(0, MAX_NAMED)
    .map((name) => quotePath(name))
    .join(", ") + (files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "");

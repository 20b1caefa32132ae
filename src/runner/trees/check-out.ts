import { join } from "node:path";
import { withinRepository } from "../../engine/clean-copies.ts";
import type { Request } from "../../engine/request.ts";
import { addCleanTree, removeOldTrees } from "../../git/clean-tree.ts";
import { commitOf } from "../../git/own-tree.ts";
import { oneLine } from "../../text/template.ts";
import type { CheckGround } from "../last-check.ts";
import { equipClean, type EquipOptions } from "./equip.ts";
import type { Trunk } from "./trunk.ts";

/** Makes a clean checkout of the run's branch, in a folder beside the run's tree. */
export async function checkOut(
  request: Pick<Request, "verifier" | "signal">,
  trunk: Trunk,
  options: EquipOptions,
): Promise<CheckGround | { readonly failed: string }> {
  const { top, branch, place, project } = trunk;
  const commit = commitOf(top, branch);
  if (commit === undefined) return { failed: `the branch ${branch} is gone` };
  removeOldTrees(top);
  const made = addCleanTree(top, commit, request.signal(), place.all);
  if (made.kind === "failed") return { failed: oneLine(made.why, 300) };
  const { tree } = made;
  try {
    const { failed, output } = await equipClean(request, trunk, tree, options);
    if (failed === undefined) return { ...tree, root: join(tree.top, withinRepository(project)) };
    tree.remove();
    return { failed: `${failed}; it printed: ${oneLine(output, 300)}` };
  } catch (error) {
    tree.remove();
    throw error;
  }
}

import { join } from "node:path";
import { withinRepository } from "../../engine/clean-copies.ts";
import { openClean } from "../../engine/equip-tree.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import { removeOldTrees } from "../../git/clean-tree.ts";
import { commitOf } from "../../git/own-tree.ts";
import { describeMissing, describeShared } from "../../run/installed.ts";
import { oneLine } from "../../text/template.ts";
import type { CheckGround } from "../last-check.ts";
import { type EquipOptions, needsOf } from "./equip.ts";
import type { Trunk } from "./trunk.ts";

/**
 * Makes a clean checkout of the run's branch, in a folder beside the run's tree, and equips it from the user's: agents
 * may have changed what is installed in the run's.
 */
export async function checkOut(
  request: Pick<Request, "verifier" | "signal">,
  { top, branch, place, home: { project } }: Trunk,
  options: EquipOptions,
): Promise<CheckGround | { readonly failed: string }> {
  const commit = commitOf(top, branch);
  if (commit === undefined) return { failed: `the branch ${branch} is gone` };
  removeOldTrees(top);
  try {
    const tree = await openClean(request, project, commit, needsOf(project, options), place.all);
    const notes = [...describeShared([tree]), ...describeMissing(tree.shared, "run_setup")];
    return { ...tree, root: join(tree.top, withinRepository(project)), notes };
  } catch (error) {
    if (error instanceof Refusal) return { failed: oneLine(error.message, 500) };
    throw error;
  }
}

import { basename } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { memberName, sameSpecIn } from "../../engine/run-trees.ts";
import { listTrunks } from "../../engine/trunk-record.ts";
import { findGit } from "../../store/git-files.ts";
import { isFinished } from "../../store/spec-files.ts";
import { isFolder, type Spec, specAt } from "../../store/spec.ts";
import { isSameFolder, realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { goOnCommand } from "../go-on.ts";
import { trunkAt } from "../trees/trunk.ts";

/** Refuses a spec that an epic's run has begun, or has finished and not been taken: it would be done twice. */
export function refuseInEpic(home: Spec, options: readonly string[] = []): void {
  const { root } = home.project;
  if (findGit(root) === undefined) return;
  const all = listTrunks(root);
  for (const { place, record } of all) {
    const isOpen = record.stage === "open" && isFolder(place.top);
    if (!isOpen || !isSameFolder(record.root, root)) continue;
    if (record.members[memberName(home)] === undefined) continue;
    const epic = specAt(home.project, record.folder);
    const details = { isNew: false, leftOut: [], notes: [] };
    const inEpic = sameSpecIn(home, trunkAt(place, record, epic, details).project);
    const isBegun = all.some((one) => one.record.folder === realPathOf(inEpic.folder));
    if (!isBegun && (!isFinished(inEpic) || isFinished(home))) continue;
    const name = basename(record.folder);
    throw new Refusal(
      "refused",
      `"${home.name}" is part of the run of epic "${name}", on ${isBegun ? "a branch of its own" : record.branch}`,
      `${goOnCommand([name], options)} continues it, ${SHELL_PROGRAM} take ${name} merges what is done`,
    );
  }
}

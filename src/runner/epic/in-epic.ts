import { basename } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { findGit } from "../../store/git-files.ts";
import { isFinished } from "../../store/spec-files.ts";
import { isFolder, type Spec, specAt } from "../../store/spec.ts";
import { isSameFolder, realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { goOnCommand } from "../go-on.ts";
import { memberName } from "../trees/parts.ts";
import { listTrunks } from "../trees/record.ts";
import { specThere, trunkAt } from "../trees/trunk.ts";

/** A spec that the run of an epic has begun, or has finished and nobody has taken, is not done a second time. */
export function refuseInEpic(home: Spec, options: readonly string[] = []): void {
  const { root } = home.project;
  if (findGit(root) === undefined) return;
  const all = listTrunks(root);
  for (const { place, record } of all) {
    const isOpen = record.stage === "open" && isFolder(place.top);
    if (!isOpen || !isSameFolder(record.root, root)) continue;
    if (record.members[memberName(home)] === undefined) continue;
    const epic = specAt(home.project, record.folder);
    const said = { isNew: false, leftOut: [], notes: [] };
    const there = specThere(home, trunkAt(place, record, epic, said).project);
    const isBegun = all.some((one) => one.record.folder === realPathOf(there.folder));
    if (!isBegun && (!isFinished(there) || isFinished(home))) continue;
    const name = basename(record.folder);
    throw new Refusal(
      "refused",
      `"${home.name}" is part of the run of epic "${name}", on ${isBegun ? "a branch of its own" : record.branch}`,
      `${goOnCommand([name], options)} goes on with it, ${SHELL_PROGRAM} take ${name} brings what is done`,
    );
  }
}

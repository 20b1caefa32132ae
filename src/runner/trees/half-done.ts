import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { readTrunkRecord } from "../../engine/trunk-record.ts";
import { keepCommit, keepWork } from "../../git/aside.ts";
import { listDirty } from "../../git/commit-paths.ts";
import { headOf } from "../../git/own-tree.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import { findGit } from "../../store/git-files.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { oneLine } from "../../text/template.ts";
import { partsOf } from "./parts.ts";
import { bookkeepingIn } from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/** Git can keep neither a repository inside another one nor its work. */
export function refuseNested(top: string, names: readonly string[]): void {
  const nested = names.find((name) => name.endsWith("/"));
  if (nested !== undefined)
    throw new Refusal(
      "refused",
      `${oneLine(nested, 200)} in ${top} is a repository of its own, which git cannot keep`,
      "move it away first",
    );
}

/** Keeps what an attempt left uncommitted under a ref: it is not proven, so it is not taken. Returns notes. */
export function keepHalfDone(trunk: Trunk): string[] {
  const { top, spec, place } = trunk;
  const isOurs = bookkeepingIn(spec);
  const { members = {} } = readTrunkRecord(place) ?? {};
  const folders = partsOf(trunk, { files: {}, members }).map((one) => realPathOf(one.spec.folder));
  const left = listDirty(top).filter(
    (name) =>
      !isOurs(name) &&
      !folders.some((folder) => isSameOrBelow(realPathOf(join(top, name)), folder)),
  );
  const git = findGit(top);
  if (left.length === 0 || git === undefined) return [];
  refuseNested(top, left);
  const commit = keepWork(git, headOf(top) as string, "take");
  const ref = commit === undefined ? undefined : keepCommit(spec, "take", commit);
  if (ref === undefined)
    throw new Refusal("broken", "git cannot keep what is uncommitted in the run's work tree");
  return [`Unfinished work was not taken; it is kept at ${ref}.`];
}

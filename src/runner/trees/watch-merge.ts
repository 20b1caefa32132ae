import { Refusal } from "../../engine/refusal.ts";
import { setAside } from "../../git/aside.ts";
import { rememberTree, repairTree } from "../../git/repair-tree.ts";
import { listChangedLinks, listStrayLinks } from "../../git/stray-links.ts";
import { tellStrayLinks } from "../../run/claim/judge-claim.ts";
import { isFolder } from "../../store/spec.ts";
import type { Aftermath } from "../ground.ts";
import { watchTree } from "./aftermath.ts";
import { findStrayed } from "./attempt-start.ts";
import { checkpointAt, requireHead } from "./merge-queue.ts";
import type { Trunk } from "./trunk.ts";

/**
 * Watches an agent that resolves a conflict or repairs a merge, like the agent of a task. Call before it starts; when it
 * is gone, call the returned function before anything else. A merge of `merged` stays open, and what that commit brings
 * is not blamed on the agent. If the agent's work is not accepted, the tree goes back to where it was.
 */
export function watchMerge(
  tree: Pick<Trunk, "top" | "branch" | "spec">,
  id: string,
  merged?: string,
): () => Aftermath {
  const { top, branch, spec } = tree;
  const known = rememberTree(top, branch);
  const base = requireHead(top);
  const leave = watchTree(known, { id }, base, merged);
  return () => {
    const left = leave();
    if (!isFolder(top)) return left;
    const failed =
      left.failed ?? findStrayed(tree, { id }, base) ?? findStrayLinks(top, id, base, merged);
    if (failed === undefined) return left;
    if (known !== undefined) repairTree(known, base);
    const kept = setAside(spec, checkpointAt(tree, base));
    if (kept.kind === "failed") throw new Refusal("broken", `${top}: ${kept.why}`);
    return { ...left, failed };
  };
}

/** Why the links that were made since `base`, and that `merged` does not bring, cannot be accepted. */
export function findStrayLinks(
  top: string,
  id: string,
  base: string,
  merged: string | undefined,
): string | undefined {
  const mine = listChangedLinks(top, base);
  const theirs = merged === undefined ? mine : listChangedLinks(top, merged);
  if ("unread" in mine || "unread" in theirs) return UNREAD;
  const names = mine.filter((name) => theirs.includes(name));
  const links = listStrayLinks(top, names, { untracked: true });
  return "unread" in links ? UNREAD : tellStrayLinks(id, links);
}

const UNREAD = "git cannot tell which links were made";

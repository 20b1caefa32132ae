import { relative, sep } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { readTrunkRecord } from "../../engine/trunk-record.ts";
import { collectPrivateGit } from "../../git/collect-private.ts";
import { discardedRef, keepTogether, keepTree } from "../../git/keep-all.ts";
import { commitOf, headOf, removeBranch, removeTree, reviveBranch } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import { findGit, readBranch } from "../../store/git-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { readVaultJournal } from "../../store/vault.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { listSpecTrunks } from "../epic/epic-tree.ts";
import { requireGitFolder } from "./git-folder.ts";
import { hasFiles, listLeft, requireTree } from "./half-done.ts";
import { restore } from "./open-trunk.ts";
import { partsOf } from "./parts.ts";
import { writeSpecFile } from "./spec-files.ts";
import { discardTrunk, requireTrunk } from "./take.ts";
import { cannotKeep, listTaskTrees } from "./task-tree.ts";
import { type Trunk, trunkAt } from "./trunk.ts";

export interface Discard {
  readonly spec: Spec;
  readonly branch: string;
  readonly tree: string;
  /** The user's branch. */
  readonly into: string;
  /** Commits that the user's branch does not have, newest first. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly files: readonly string[];
  /** Where all of it is kept; undefined if there is nothing to keep. */
  readonly ref: string | undefined;
  /** Keeps everything, then removes branches and trees. */
  readonly carryOut: () => void;
}

/** A work tree that goes, with its branch. */
interface Going {
  readonly top: string;
  readonly branch: string;
  readonly trunk: Trunk;
  /** The commits of its branch and of its work tree. */
  readonly heads: readonly string[];
}

/** What discarding a run would remove, and where it would be kept. Refuses what is alive, or cannot be kept. */
export function planDiscard(home: Spec, at: string): Discard {
  const trunks = openTrunks(home);
  const going = trunks.flatMap(listGoing);
  const [{ branch, top }] = going as [Going, ...Going[]];
  const { root } = home.project;
  const kept = going.filter((one) => one.heads.length > 0 || hasFiles(one.top));
  const ref = discardedRef(branch.slice(branch.indexOf("/") + 1), at);
  return {
    spec: home,
    branch,
    tree: top,
    into: readBranch(findGit(root)) ?? "your commit",
    commits: listCommits(root, [...new Set(going.flatMap(({ heads }) => heads))]),
    files: kept.flatMap(listFiles),
    ref: kept.length === 0 ? undefined : ref,
    carryOut() {
      // Nothing goes before everything is kept.
      const commits = [...new Set(kept.map(keep))];
      if (commits.length > 0 && !keepTogether(root, ref, commits))
        throw new Refusal("broken", `git cannot write ${ref}, so everything stays`);
      for (const one of going.filter((other) => other.top !== other.trunk.top)) {
        removeTree(root, one.top);
        removeBranch(root, one.branch);
      }
      // The trees of an epic's specs begin in its own.
      for (const trunk of trunks.toReversed()) discardTrunk(trunk, at);
      const left = going.find((one) => isFolder(one.top) || commitOf(root, one.branch));
      if (left !== undefined)
        throw new Refusal(
          "broken",
          `${left.top} or its branch ${left.branch} cannot be removed; everything is kept at ${ref}`,
          "remove them by hand, and try again",
        );
    },
  };
}

/** The run's own, followed by those of an epic's specs. */
function openTrunks(home: Spec, isInEpic = false): Trunk[] {
  const { place, record } = requireTrunk(home, isInEpic, "discard");
  const { root } = home.project;
  if (record.stage === "taking")
    throw new Refusal(
      "refused",
      `the run's branch ${place.branch} is being taken`,
      `${SHELL_PROGRAM} take ${home.name} again finishes that`,
    );
  requireGitFolder(place, record, home);
  if (commitOf(root, place.branch) === undefined)
    reviveBranch(root, place.top, place.branch, record.base);
  const trunk = trunkAt(place, record, home, { isNew: false, leftOut: [], notes: [] });
  return [trunk, ...listSpecTrunks(trunk).flatMap((one) => openTrunks(one.home, true))];
}

function listGoing(trunk: Trunk): Going[] {
  const { root } = trunk.home.project;
  return [trunk, ...listTaskTrees(trunk.place, root)].map(({ top, branch }) => {
    if (hasFiles(top)) {
      requireTree(root, top);
      collectPrivateGit(top, { isLive: false });
    }
    const heads = [hasFiles(top) ? headOf(top) : undefined, commitOf(root, branch)];
    return {
      top,
      branch,
      trunk,
      heads: [...new Set(heads.filter((one) => one !== undefined))],
    };
  });
}

function listCommits(root: string, heads: readonly string[]): Discard["commits"] {
  if (heads.length === 0) return [];
  const { out } = runGit(root, ["log", "--format=%h %s", ...heads, "--not", "HEAD", "--"]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const at = line.indexOf(" ");
      return { commit: line.slice(0, at), subject: oneLine(line.slice(at + 1), 200) };
    });
}

const listFiles = ({ top, trunk }: Going): string[] =>
  hasFiles(top)
    ? listLeft(trunk, requireTree(trunk.home.project.root, top)).map((name) => oneLine(name, 300))
    : [];

/** Commits what a tree has. Git ignores the journal in the tree, and the one that counts is the vault's. */
function keep({ top, branch, trunk, heads }: Going): string {
  const { home, place } = trunk;
  const { root } = home.project;
  const isTask = top !== trunk.top;
  const [head] = heads;
  if (!hasFiles(top) && isTask && head !== undefined) return head;
  if (!hasFiles(top)) restore(place, home);
  const git = requireTree(root, top);
  const record = isTask ? undefined : readTrunkRecord(place);
  const files = (record === undefined ? [] : partsOf(trunk, record)).flatMap(({ spec }) => {
    const journal = readVaultJournal(spec, MAX_JOURNAL);
    if (journal.kind !== "ok") return [];
    const name = spec.project.layout.journalFile;
    writeSpecFile(spec, { ...journal, name, hash: "" });
    return [relative(realPathOf(top), realPathOf(spec.journal)).split(sep).join("/")];
  });
  const kept = keepTree(git, `discarded, ${branch}`, { heads, files });
  if (kept === undefined) throw cannotKeep(top);
  return kept;
}

const MAX_JOURNAL = 64 << 20;

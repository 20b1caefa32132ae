import { relative, sep } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { namesIn, readTrunkRecord } from "../../engine/trunk-record.ts";
import { writeRef } from "../../git/checkpoint.ts";
import { collectPrivateGit } from "../../git/collect-private.ts";
import { listDirty } from "../../git/commit-paths.ts";
import { discardedRef, keepAll } from "../../git/keep-all.ts";
import { isWorkTreeOf } from "../../git/linked-work-tree.ts";
import { commitOf, headOf, removeBranch, removeTree, reviveBranch } from "../../git/own-tree.ts";
import { runGit } from "../../git/run.ts";
import { findGit, type GitDirs, readBranch } from "../../store/git-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { readVaultJournal } from "../../store/vault.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { listSpecTrunks } from "../epic/epic-tree.ts";
import { requireGitFolder } from "./git-folder.ts";
import { refuseNested } from "./half-done.ts";
import { restore } from "./open-trunk.ts";
import { partsOf } from "./parts.ts";
import { bookkeepingIn, writeSpecFile } from "./spec-files.ts";
import { requireSubmodules } from "./submodules.ts";
import { discardTrunk, requireTrunk } from "./take.ts";
import { listTaskTrees } from "./task-tree.ts";
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
  /** Where all of it is kept: the run's own first, then what its tasks and, of an epic, its specs have. */
  readonly refs: readonly string[];
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
  readonly ref: string;
}

/** What discarding a run would remove, and where it would be kept. Refuses what is alive, or cannot be kept. */
export function planDiscard(home: Spec, at: string): Discard {
  const trunks = openTrunks(home);
  const going = trunks.flatMap((trunk) => listGoing(trunk, at));
  const [{ branch, top }] = going as [Going, ...Going[]];
  const { root } = home.project;
  const kept = going.filter((one) => one.heads.length > 0 || hasFiles(one.top));
  return {
    spec: home,
    branch,
    tree: top,
    into: readBranch(findGit(root)) ?? "your commit",
    commits: listCommits(root, [...new Set(going.flatMap(({ heads }) => heads))]),
    files: kept.flatMap(listFiles),
    refs: kept.map(({ ref }) => ref),
    carryOut() {
      // Nothing goes before everything is kept.
      for (const one of kept) {
        if (!keep(one) || !runGit(root, ["rev-parse", "--verify", "--quiet", one.ref]).ok)
          throw new Refusal("broken", `git cannot keep what is in ${one.top}, so it stays`);
        requireSubmodules({ ...one.trunk, top: one.top }, "HEAD", one.ref);
      }
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
          `${left.top} or its branch ${left.branch} cannot be removed; everything is kept at ${left.ref}`,
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

function listGoing(trunk: Trunk, at: string): Going[] {
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
      ref: discardedRef(branch.slice(branch.indexOf("/") + 1), at),
    };
  });
}

const hasFiles = (top: string): boolean => namesIn(top).length > 0;

/** An agent may have made the tree another repository's, in which nothing would be kept. */
function requireTree(root: string, top: string): GitDirs {
  const git = findGit(top);
  const isOurs = git?.top === realPathOf(top) && git.common === findGit(root)?.common;
  if (git !== undefined && isOurs && isWorkTreeOf(git)) return git;
  throw new Refusal(
    "refused",
    `${top} is not a work tree of this repository any more, so git cannot keep what is there`,
    "move it away first",
  );
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

function listFiles({ top, trunk }: Going): string[] {
  if (!hasFiles(top)) return [];
  const isOurs = bookkeepingIn(trunk.spec);
  const names = listDirty(top).filter((name) => !isOurs(name));
  refuseNested(top, names);
  return names.map((name) => oneLine(name, 300));
}

/** Git ignores the journal in the tree, and the one that counts is the vault's. */
function keep({ top, trunk, heads, ref }: Going): boolean {
  const { home, place } = trunk;
  const { root } = home.project;
  if (!hasFiles(top) && top !== trunk.top) return writeRef(root, ref, heads[0] ?? "");
  if (!hasFiles(top)) restore(place, home);
  const git = requireTree(root, top);
  const record = top === trunk.top ? readTrunkRecord(place) : undefined;
  const files = (record === undefined ? [] : partsOf(trunk, record)).flatMap(({ spec }) => {
    const journal = readVaultJournal(spec, MAX_JOURNAL);
    if (journal.kind !== "ok") return [];
    const name = spec.project.layout.journalFile;
    writeSpecFile(spec, { ...journal, name, hash: "" });
    return [relative(realPathOf(top), realPathOf(spec.journal)).split(sep).join("/")];
  });
  return keepAll(git, ref, { heads, files });
}

const MAX_JOURNAL = 64 << 20;

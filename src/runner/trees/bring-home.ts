import { lstatSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writePointer } from "../../engine/activate-spec.ts";
import { Refusal } from "../../engine/refusal.ts";
import { isEpicHome, type TrunkRecord } from "../../engine/trunk-record.ts";
import { copyCheckpoints } from "../../git/checkpoint.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { LONG } from "../../git/own-tree.ts";
import { keepFiles } from "../../git/reset-to-checkpoint.ts";
import { isWritten, restoreTree } from "../../git/restore-tree.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { readWorkTree } from "../../git/working-tree.ts";
import { isRunFile } from "../../store/bookkeeping.ts";
import { findGit } from "../../store/git-files.ts";
import { faultIn } from "../../store/read.ts";
import { findActiveSpec, isFolder, type Spec } from "../../store/spec.ts";
import { copyInVault } from "../../store/vault-copy.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { compare } from "./bring-documents.ts";
import { type Part, partsOf } from "./parts.ts";
import { nameSome } from "./plan-merge.ts";
import {
  readSpecFile,
  readSpecFiles,
  removeSpecFile,
  type SpecFile,
  writeSpecFile,
} from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/** What happens to the files in the user's tree. */
export interface FilePlan {
  /**
   * Moves the spec's own uncommitted files out of git's way. Returns a function that makes the user's tree what it was,
   * even if git stopped halfway; that returns the files that could not be put back.
   */
  readonly clear: () => () => string[];
  /** The specs' files that are not in git. */
  readonly brought: readonly (Part & { readonly missing: readonly SpecFile[] })[];
}

/** Refuses if work of the user's would be lost. */
export function planFiles(
  trunk: Trunk,
  record: TrunkRecord,
  mine: string,
  commit: string,
): FilePlan {
  const parts = partsOf(trunk, record);
  const top = realPathOf(findGit(trunk.home.project.root)?.top ?? "");
  const tree = readWorkTree(top, { untracked: true });
  if (tree === undefined)
    throw new Refusal(
      "broken",
      `git cannot tell what is uncommitted in ${top}`,
      "look at git status there, and take again",
    );
  const diff = ["diff", "--name-only", "-z", "--no-renames"];
  const changed = namesOf(runGit(top, [...diff, mine, commit, "--"]).out);
  const added = namesOf(runGit(top, [...diff, "--diff-filter=A", mine, commit, "--"]).out);
  const uncommitted = new Set([...tree.dirty, ...tree.untracked]);
  const isThere = (name: string): boolean =>
    lstatSync(join(top, name), { throwIfNoEntry: false }) !== undefined;
  // Git overwrites ignored files silently.
  const inTheWay = changed.filter(
    (name) => uncommitted.has(name) || (added.includes(name) && isThere(name)),
  );
  const folders = parts.map(
    ({ home }) => `${relative(top, realPathOf(home.folder)).split(sep).join("/")}/`,
  );
  // What `compare` does not see is a file like any other.
  const compared = new Set(
    parts.flatMap(({ home }, at) =>
      isFolder(home.folder) ? readSpecFiles(home).map(({ name }) => `${folders[at]}${name}`) : [],
    ),
  );
  const isOwn = (name: string): boolean =>
    compared.has(name) || (!isThere(name) && folders.some((folder) => name.startsWith(folder)));
  const others = inTheWay.filter((name) => !isOwn(name) && !isSame(top, name, commit));
  // Before that, nothing of the user's was in the way.
  const isHalf = (name: string): boolean =>
    record.stage === "taking" && isWritten(top, name, commit);
  const half = new Set(others.filter(isHalf));
  const users = others.filter((name) => !half.has(name));
  if (users.length > 0)
    throw new Refusal(
      "refused",
      `you have uncommitted changes in what the run changed: ${nameSome(users)}`,
      "commit or stash them, and take again",
    );
  return {
    clear() {
      const kept = keepFiles(
        inTheWay.filter((name) => !half.has(name)).map((name) => join(top, name)),
      );
      clear(top, inTheWay);
      return () => {
        const left = restoreTree(top, { mine, commit, changed });
        const fault = faultIn(kept);
        return fault === undefined ? left : [...left, ...inTheWay];
      };
    },
    brought: parts.map((part) => ({ ...part, missing: planPart(trunk, record, part) })),
  };
}

/** One spec's files that are not in git, or not as the user wants them. Refuses if both sides have changed the same file. */
function planPart(trunk: Trunk, record: TrunkRecord, { home, spec, files }: Part): SpecFile[] {
  const cleanHere = cleanIn(home, realPathOf(findGit(home.project.root)?.top ?? ""));
  const cleanThere = cleanIn(spec, trunk.top);
  const { both, brought } = isFolder(home.folder)
    ? compare(home, spec, files)
    : { both: [], brought: [] };
  const lost = both.filter((name) => {
    const isClean = cleanHere.has(name);
    return !(isClean && (cleanThere.has(name) || record.stage === "taking"));
  });
  if (lost.length > 0)
    throw new Refusal(
      "refused",
      `${nameSome(lost)} of "${home.name}" changed in your tree and in the run's`,
      `keep one: make yours the same as in ${spec.folder}, or the other way round`,
    );
  const theirs = new Set(brought.map(({ name }) => name));
  const runs = readSpecFiles(spec).filter(({ name }) => !cleanThere.has(name) && !theirs.has(name));
  // What only the user has changed may have been in git's way.
  return [...runs, ...brought.filter(({ name }) => !cleanHere.has(name))];
}

/** Whether the file in the user's tree already equals the commit's, because a take was interrupted. */
function isSame(top: string, name: string, commit: string): boolean {
  const folder = dirname(join(top, name));
  // Behind a link, it is a different file.
  if (realPathOf(folder) !== folder) return false;
  const users = runGit(top, ["hash-object", "--", name]);
  const committed = runGit(top, ["rev-parse", "--verify", "--quiet", `${commit}:${name}`]);
  return users.ok && committed.ok && users.out === committed.out;
}

/** The spec's files without uncommitted changes, by their names in its folder. */
function cleanIn(spec: Spec, top: string): ReadonlySet<string> {
  const folder = `${relative(realPathOf(top), realPathOf(spec.folder)).split(sep).join("/")}/`;
  const tracked = namesOf(runGit(top, ["ls-files", "-z", "--", folder]).out);
  const dirty = new Set(readWorkTree(top)?.dirty);
  return new Set(
    tracked.filter((name) => !dirty.has(name)).map((name) => name.slice(folder.length)),
  );
}

/** Restores files that git tracks and removes the others. */
function clear(top: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const tracked = new Set(namesOf(runGit(top, ["ls-files", "-z", "--", ...names]).out));
  const known = names.filter((name) => tracked.has(name));
  const restore = ["restore", "--quiet", "--staged", "--worktree", "--source=HEAD", "--", ...known];
  if (known.length > 0) runGit(top, restore, LONG);
  for (const name of names) if (!tracked.has(name)) rmSync(join(top, name), { force: true });
}

/** Brings the specs' state, journal, notes and vault files, so that the run can continue in the user's tree. */
export function bringHome({ brought }: FilePlan, branch: string): void {
  for (const { home, spec, missing } of brought) {
    // The user has archived or removed it since, and records alone make no spec.
    if (!isFolder(home.folder) && missing.every(({ name }) => isRunFile(home, name))) continue;
    for (const file of missing) writeSpecFile(home, file);
    for (const { name } of isFolder(home.folder) ? readSpecFiles(home) : [])
      if (isRunFile(home, name) && readSpecFile(spec, name) === undefined)
        removeSpecFile(home, name);
    copyInVault(spec, home);
    copyCheckpoints(spec, home, branch);
    if (!isFolder(home.folder)) continue;
    keepOutOfGit(home);
    if (!isEpicHome(home) && findActiveSpec(home.project).kind !== "ok") writePointer(home);
  }
}

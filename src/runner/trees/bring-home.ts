import { lstatSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writePointer } from "../../engine/activate-spec.ts";
import { Refusal } from "../../engine/refusal.ts";
import { copyCheckpoints } from "../../git/checkpoint.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { LONG } from "../../git/own-tree.ts";
import { keepFiles } from "../../git/reset-to-checkpoint.ts";
import { namesOf, runGit } from "../../git/run.ts";
import { readWorkTree } from "../../git/working-tree.ts";
import { findGit } from "../../store/git-files.ts";
import { findActiveSpec, isFolder, type Spec } from "../../store/spec.ts";
import { copyInVault } from "../../store/vault-copy.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { compare } from "./bring-documents.ts";
import { type Part, partsOf } from "./parts.ts";
import { nameSome } from "./plan-merge.ts";
import { isEpicHome, type TrunkRecord } from "./record.ts";
import {
  isRunFile,
  readSpecFile,
  readSpecFiles,
  removeSpecFile,
  type SpecFile,
  writeSpecFile,
} from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

/** What happens to the files in the user's tree. */
export interface FilePlan {
  /** Takes the spec's own uncommitted files out of git's way. Returns what puts them back. */
  readonly clear: () => () => void;
  /** The specs' files that git does not bring. */
  readonly brought: readonly (Part & { readonly missing: readonly SpecFile[] })[];
}

/** Refuses if something of the user's would be lost. */
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
      `git does not say what is uncommitted in ${top}`,
      "look at git status there, and take again",
    );
  const diff = ["diff", "--name-only", "-z", "--no-renames"];
  const changed = namesOf(runGit(top, [...diff, mine, commit, "--"]).out);
  const added = namesOf(runGit(top, [...diff, "--diff-filter=A", mine, commit, "--"]).out);
  const uncommitted = new Set([...tree.dirty, ...tree.untracked]);
  const isThere = (name: string): boolean =>
    lstatSync(join(top, name), { throwIfNoEntry: false }) !== undefined;
  // Git overwrites an ignored file without a word.
  const inTheWay = changed.filter(
    (name) => uncommitted.has(name) || (added.includes(name) && isThere(name)),
  );
  const folders = parts.map(
    ({ home }) => `${relative(top, realPathOf(home.folder)).split(sep).join("/")}/`,
  );
  const isOwn = (name: string): boolean => folders.some((folder) => name.startsWith(folder));
  const others = inTheWay.filter(
    (name) =>
      !isOwn(name) &&
      !isSame(top, name, commit) &&
      !(record.stage === "taking" && isEmpty(join(top, name))),
  );
  if (others.length > 0)
    throw new Refusal(
      "refused",
      `you have uncommitted changes in what the run changed: ${nameSome(others)}`,
      "commit or stash them, and take again",
    );
  return {
    clear: () => clear(top, inTheWay),
    brought: parts.map((part) => ({ ...part, missing: planPart(trunk, record, part) })),
  };
}

/** What git does not bring of one spec. Refuses if both sides have changed the same file. */
function planPart(trunk: Trunk, record: TrunkRecord, { home, spec, files }: Part): SpecFile[] {
  const here = cleanIn(home, realPathOf(findGit(home.project.root)?.top ?? ""));
  const there = cleanIn(spec, trunk.top);
  const { both, brought } = isFolder(home.folder)
    ? compare(home, spec, files)
    : { both: [], brought: [] };
  const lost = both.filter((name) => {
    const isClean = here.has(name);
    return !(isClean && (there.has(name) || record.stage === "taking"));
  });
  if (lost.length > 0)
    throw new Refusal(
      "refused",
      `${nameSome(lost)} of "${home.name}" changed in your tree and in the run's`,
      `keep one: make yours the same as in ${spec.folder}, or the other way round`,
    );
  const theirs = new Set(brought.map(({ name }) => name));
  return readSpecFiles(spec).filter(({ name }) => !there.has(name) && !theirs.has(name));
}

/** Whether the file in the user's tree is already what the commit has: a take that was ended in the middle left it. */
function isSame(top: string, name: string, commit: string): boolean {
  const folder = dirname(join(top, name));
  // Through a link it is some other file.
  if (realPathOf(folder) !== folder) return false;
  const here = runGit(top, ["hash-object", "--", name]);
  const there = runGit(top, ["rev-parse", "--verify", "--quiet", `${commit}:${name}`]);
  return here.ok && there.ok && here.out === there.out;
}

/** Git was killed between making a file and writing it. */
const isEmpty = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === 0;
};

/** The spec's files that are as committed, by their names in its folder. */
function cleanIn(spec: Spec, top: string): ReadonlySet<string> {
  const folder = `${relative(realPathOf(top), realPathOf(spec.folder)).split(sep).join("/")}/`;
  const tracked = namesOf(runGit(top, ["ls-files", "-z", "--", folder]).out);
  const dirty = new Set(readWorkTree(top)?.dirty);
  return new Set(
    tracked.filter((name) => !dirty.has(name)).map((name) => name.slice(folder.length)),
  );
}

/** What git tracks is as committed again, the rest is gone. */
function clear(top: string, names: readonly string[]): () => void {
  if (names.length === 0) return () => {};
  const putBack = keepFiles(names.map((name) => join(top, name)));
  const tracked = new Set(namesOf(runGit(top, ["ls-files", "-z", "--", ...names]).out));
  const back = names.filter((name) => tracked.has(name));
  const restore = ["restore", "--quiet", "--staged", "--worktree", "--source=HEAD", "--", ...back];
  if (back.length > 0) runGit(top, restore, LONG);
  for (const name of names) if (!tracked.has(name)) rmSync(join(top, name), { force: true });
  return putBack;
}

/** The specs' state, journal and notes, and what the vault knows about their run: it goes on in the user's tree. */
export function bringHome({ brought }: FilePlan, branch: string): void {
  for (const { home, spec, missing } of brought) {
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

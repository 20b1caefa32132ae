import {
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { GitMounts } from "../exec/git-mounts.ts";
import { findGit, type GitDirs, readBranch } from "../store/git-files.ts";
import { faultIn, readText, statOf } from "../store/read.ts";
import { findVaultPlace, realPathOf } from "../store/vault-place.ts";
import { REFS } from "./checkpoint.ts";
import { commitPaths } from "./commit-paths.ts";
import { headOf, isAncestor, LONG } from "./own-tree.ts";
import { formatPrivateConfig } from "./private-config.ts";
import { namesOf, reasonIn, runGit } from "./run.ts";
import { stageNames } from "./stage.ts";

/**
 * Git's folder for an agent in a sandbox. It has its own HEAD, refs, index and objects, and reads the repository's
 * objects. Nothing of the repository's own folder is writable in the sandbox: git outside would follow links there.
 *
 * The agent can write all of it, so our git never uses it as a repository and never writes to it. It only reads objects,
 * whose names are checked while they are copied.
 */
export interface PrivateGit {
  readonly mounts: GitMounts;
  /** Call when the agent is gone. Returns what the user should know. */
  readonly collect: () => string | undefined;
}

/** The state of a work tree, including that of a merge. Not pointers, settings or locks. */
const STATE = /^(?:HEAD|ORIG_HEAD|AUTO_MERGE|MERGE_\w+|index|sharedindex\..+)$/;
/** Where the repository's objects are in the private folder, and what else of the repository can be read there. */
const OBJECTS = "repository-objects";
const READABLE = { objects: OBJECTS, hooks: "hooks", lfs: "lfs", modules: "modules" } as const;
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function openPrivateGit(cwd: string): PrivateGit | undefined {
  const git = findGit(cwd);
  if (git === undefined) return undefined;
  const { top, own, common } = git;
  collectPrivateGit(top, { isLive: false });
  const place = requirePlace(top);
  const { folder, base, pointer } = place;
  for (const name of ["objects/info", "objects/pack", "refs/heads", ...Object.values(READABLE)])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const from of [common, own])
    copyAll(from, folder, (name) => name === "info" || name === "shallow");
  copyAll(own, folder, (name) => STATE.test(name));
  writeFileSync(join(folder, "packed-refs"), refsOf(top));
  writeFileSync(join(folder, "config"), formatPrivateConfig(top));
  const others = alternatesOf(top);
  writeFileSync(join(folder, ALTERNATES), formatAlternates(others));
  writeFileSync(pointer, `gitdir: ${folder}\n`);
  // Last: without it the folder is not complete.
  writeFileSync(base, `${headOf(top) ?? ""}\n`);
  const entry = realPathOf(join(top, ".git"));
  const isFolder = statOf(entry)?.isDirectory() === true;
  const inBox = isFolder ? entry : folder;
  return {
    mounts: {
      writable: [top, ...(isFolder ? [] : [folder])],
      readOnly: [own, common].filter((path) => realPathOf(path) !== entry),
      readable: others,
      placed: [
        isFolder
          ? { source: folder, target: entry, isReadOnly: false }
          : { source: pointer, target: entry, isReadOnly: true },
        ...Object.entries(READABLE)
          .map(([name, target]) => ({
            source: realPathOf(join(common, name)),
            target: join(inBox, target),
            isReadOnly: true,
          }))
          .filter(({ source }) => statOf(source) !== undefined),
      ],
    },
    collect: () => collectPrivateGit(top, { isLive: true }),
  };
}

/**
 * Brings the commits that an agent made in a sandbox to the work tree's branch, and its index up to date. If the run was
 * killed, the folder is still there, and the next run or `take` brings them.
 */
export function collectPrivateGit(
  top: string,
  { isLive }: { readonly isLive: boolean },
): string | undefined {
  const place = placeOf(top);
  const git = findGit(top);
  if (place === undefined || git?.top !== top || statOf(place.all) === undefined) return undefined;
  const { why, note } = collect(git, place, isLive);
  if (why === undefined) {
    discard(place.all);
    return note;
  }
  const kept = `${place.all}-unread`;
  discard(kept);
  renameSync(place.all, kept);
  return `The commits that an agent made in the sandbox cannot be read: ${why}. They are kept in ${kept}; its files are in the work tree.`;
}

/** Removes a folder, or at least frees its name: what an agent has locked cannot be removed. */
function discard(folder: string): void {
  if (statOf(folder) === undefined) return;
  const gone = `${folder}-${process.pid}-${Date.now()}`;
  renameSync(folder, gone);
  faultIn(() => rmSync(gone, { recursive: true, force: true, maxRetries: 3 }));
}

interface Collected {
  readonly why?: string;
  readonly note?: string;
}

function collect(
  git: GitDirs,
  { folder, base: noted, ...place }: Place,
  isLive: boolean,
): Collected {
  const { top } = git;
  const base = lineIn(noted);
  if (base === undefined) return {};
  const { ref, commit } = readHeadIn(folder);
  const head = headOf(top);
  const isMerging = (own: string): boolean => statOf(join(own, "MERGE_HEAD")) !== undefined;
  if (commit !== undefined && commit !== base) {
    const why = copyObjects(top, folder, commit, place.all);
    if (why !== undefined) return { why };
    if ((head ?? "") !== base) return keepApart(top, base, commit, isLive);
    const isOn = ref === undefined ? false : ref === `refs/heads/${readBranch(git) ?? ""}`;
    // On another branch, and not on top of what was there: the caller sees that the branch was left.
    const how = isOn || base === "" || isAncestor(top, base, commit) ? [] : ["--no-deref"];
    const { ok, err } = runGit(top, ["update-ref", ...how, "-m", MESSAGE, "HEAD", commit, base]);
    if (!ok) return { why: reasonIn(err) };
    // In the user's own tree, something else may be staged.
    const isMoved = base !== "" && !isMerging(git.own);
    if (!isMoved || !runGit(top, ["read-tree", "-m", base, commit], LONG).ok)
      runGit(top, ["reset", "--quiet", "--mixed"], LONG);
  } else if (isMerging(git.own) && !isMerging(folder)) {
    // The agent has aborted the merge.
    runGit(top, ["reset", "--quiet", "--mixed"], LONG);
  }
  if (isLive) stageAdded(top, folder);
  return {};
}

const MESSAGE = "smart-ralph: committed in the sandbox";

/** Somebody else has committed meanwhile, so the agent's commits do not fit. Its files are in the work tree. */
function keepApart(top: string, base: string, commit: string, isLive: boolean): Collected {
  const ref = `${REFS}/aside/sandbox%/${commit}`;
  const { ok, err } = runGit(top, ["update-ref", ref, commit]);
  if (!ok) return { why: reasonIn(err) };
  const changed = ["diff", "--name-only", "-z", "--no-renames", base, commit, "--"];
  if (isLive && base !== "") {
    const { out } = runGit(top, ["show", "--no-patch", "--format=%s", commit]);
    commitPaths(top, namesOf(runGit(top, changed).out), out.trim());
  }
  return {
    note: `While an agent worked in the sandbox, the branch moved: its own commits are kept at ${ref}.`,
  };
}

/** What the agent has staged but not committed is its work, too. */
function stageAdded(top: string, folder: string): void {
  const index = join(folder, "index");
  // Git would wait for a pipe.
  if (!isKind(index, "isFile")) return;
  const env = { ...LONG.env, GIT_INDEX_FILE: index, ...withObjects(folder) };
  const names = ["diff-index", "--cached", "--name-only", "-z", "--diff-filter=A", "HEAD", "--"];
  const added = namesOf(runGit(top, names, { ...LONG, env }).out);
  const there = added.filter((name) => lstatSync(join(top, name), { throwIfNoEntry: false }));
  if (there.length > 0) stageNames(top, there, LONG);
}

/** Only through a pack, so that git computes every name again and checks every object. */
function copyObjects(top: string, folder: string, commit: string, to: string): string | undefined {
  const objects = join(folder, "objects");
  const alternates = join(folder, ALTERNATES);
  const isPlain = [objects, join(objects, "info")].every((path) => isKind(path, "isDirectory"));
  // Other folders would let the agent see what it could not read itself.
  if (!isPlain || textOf(alternates) !== formatAlternates(alternatesOf(top)))
    return "its list of other folders with objects was changed";
  const options = { ...LONG, env: { ...LONG.env, ...withObjects(folder) } };
  const list = ["rev-list", "--objects", "--no-object-names", commit, "--not", "--all"];
  const { ok, out, err } = runGit(top, [...UNTRUSTED, ...list], options);
  if (!ok) return reasonIn(err);
  if (out === "") return undefined;
  const pack = ["pack-objects", "--quiet", join(to, "pack")];
  const packed = runGit(top, [...UNTRUSTED, ...pack], { ...options, input: out });
  if (!packed.ok) return reasonIn(packed.err);
  const file = openSync(join(to, `pack-${packed.out.trim()}.pack`), "r");
  try {
    const unpacked = runGit(top, ["unpack-objects", "-q", "--strict"], { ...LONG, stdin: file });
    return unpacked.ok ? undefined : reasonIn(unpacked.err);
  } finally {
    closeSync(file);
  }
}

/** Without what an agent could have written beside the objects. */
const UNTRUSTED = ["core.commitGraph=false", "core.multiPackIndex=false"].flatMap((one) => [
  "-c",
  one,
]);

const withObjects = (folder: string) => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(folder, "objects")),
});

/** Read without git, which would obey the settings there. */
function readHeadIn(folder: string): { ref?: string | undefined; commit?: string | undefined } {
  const head = lineIn(join(folder, "HEAD")) ?? "";
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return { commit: HASH.exec(head)?.[0] };
  const packed = (textOf(join(folder, "packed-refs")) ?? "").split("\n");
  const line = packed.find((one) => one.endsWith(` ${ref}`))?.split(" ")[0];
  return { ref, commit: HASH.exec(lineIn(join(folder, ref)) ?? line ?? "")?.[0] };
}

/** Not through a link. */
const isKind = (path: string, kind: "isFile" | "isDirectory"): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.[kind]() === true;

const ALTERNATES = "objects/info/alternates";

/** The first is relative, because the folder may be mounted at another path. */
const formatAlternates = (others: readonly string[]): string =>
  [`../${OBJECTS}`, ...others].map((path) => `${path}\n`).join("");

/** Other folders from which the repository reads objects. */
const alternatesOf = (top: string): string[] =>
  [...runGit(top, ["count-objects", "-v"]).out.matchAll(/^alternate: (.+)$/gm)].map(
    ([, path = ""]) => path,
  );

function refsOf(top: string): string {
  const { out } = runGit(top, ["for-each-ref", "--format=%(objectname) %(refname)"], LONG);
  return out.replace(new RegExp(`^\\S+ ${REFS}/.*\\n`, "gm"), "");
}

function copyAll(from: string, to: string, isWanted: (name: string) => boolean): void {
  const how = { recursive: true, dereference: true, preserveTimestamps: true };
  for (const name of readdirSync(from).filter(isWanted))
    cpSync(join(from, name), join(to, name), how);
}

interface Place {
  /** Everything below is only ours, except `folder`. */
  readonly all: string;
  readonly folder: string;
  /** The commit at which the agent began. */
  readonly base: string;
  /** What `.git` says in the sandbox. */
  readonly pointer: string;
}

function placeOf(top: string): Place | undefined {
  const vault = findVaultPlace(top);
  if (vault === undefined) return undefined;
  const all = join(vault, ".sandbox");
  return { all, folder: join(all, "git"), base: join(all, "base"), pointer: join(all, "pointer") };
}

function requirePlace(top: string): Place {
  const place = placeOf(top);
  if (place === undefined) throw new Error("a sandbox needs a private folder: set HOME");
  return place;
}

function textOf(path: string): string | undefined {
  const file = readText(path, 64 << 20);
  return file.kind === "ok" ? file.text : undefined;
}

const lineIn = (path: string): string | undefined => textOf(path)?.split("\n", 1)[0]?.trim();

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GitMounts } from "../exec/sandbox.ts";
import type { GitDirs } from "../store/git-files.ts";
import { statOf } from "../store/read.ts";
import { findVaultPlace, realPathOf } from "../store/vault-place.ts";
import { REFS } from "./checkpoint.ts";
import { headOf, LONG } from "./own-tree.ts";
import { formatPrivateConfig } from "./private-config.ts";
import { runGit } from "./run.ts";

/** Where the git folder of an agent in a sandbox is. Everything but `folder` is only ours. */
export interface PrivatePlace {
  readonly all: string;
  readonly folder: string;
  /** The commit at which the agent began. */
  readonly base: string;
  /** What `.git` says in the sandbox. */
  readonly pointer: string;
}

/** One place for each work tree, so that it is found again after a crash. Undefined without a vault. */
export function privatePlaceOf(top: string): PrivatePlace | undefined {
  const vault = findVaultPlace(top);
  if (vault === undefined) return undefined;
  const all = join(vault, ".sandbox");
  return { all, folder: join(all, "git"), base: join(all, "base"), pointer: join(all, "pointer") };
}

/** The state of a work tree, including that of a merge. Not pointers, settings or locks. */
const STATE = /^(?:HEAD|ORIG_HEAD|AUTO_MERGE|MERGE_\w+|index|sharedindex\..+)$/;
const SHARED = /^(?:info|shallow)$/;

/** What can be read of the repository's own folder, and the name that it has in the private one. */
const OBJECTS = "repository-objects";
const READABLE = { objects: OBJECTS, hooks: "hooks", lfs: "lfs", modules: "modules" } as const;

/**
 * Makes git's folder for an agent in a sandbox. It has its own HEAD, refs, index and objects, and reads the repository's
 * objects. Nothing of the repository's own folder is writable there: git outside would follow links in it.
 */
export function openPrivateGit(git: GitDirs): GitMounts {
  const { top, own, common } = git;
  const place = privatePlaceOf(top);
  if (place === undefined) throw new Error("a sandbox needs a private folder: set HOME");
  const { folder, base, pointer } = place;
  for (const name of ["objects/info", "objects/pack", "refs/heads", ...Object.values(READABLE)])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  copyAll(common, folder, SHARED);
  copyAll(own, folder, SHARED);
  copyAll(own, folder, STATE);
  const { out } = runGit(top, ["for-each-ref", "--format=%(objectname) %(refname)"], LONG);
  const refs = out.split("\n").filter((line) => !line.includes(` ${REFS}/`));
  writeFileSync(join(folder, "packed-refs"), refs.join("\n"));
  writeFileSync(join(folder, "config"), formatPrivateConfig(top));
  const others = alternatesOf(top);
  writeFileSync(join(folder, ALTERNATES), formatAlternates(others));
  writeFileSync(pointer, `gitdir: ${folder}\n`);
  // Last: without it the folder is not complete.
  writeFileSync(base, `${headOf(top) ?? ""}\n`);
  const entry = realPathOf(join(top, ".git"));
  const isFolder = statOf(entry)?.isDirectory() === true;
  const inBox = isFolder ? entry : folder;
  const readable = Object.entries(READABLE).map(([name, target]) => ({
    source: realPathOf(join(common, name)),
    target: join(inBox, target),
    isReadOnly: true,
  }));
  return {
    writable: [top, ...(isFolder ? [] : [folder])],
    readOnly: [own, common].filter((path) => realPathOf(path) !== entry),
    readable: others,
    placed: [
      { source: isFolder ? folder : pointer, target: entry, isReadOnly: !isFolder },
      ...readable.filter(({ source }) => statOf(source) !== undefined),
    ],
  };
}

export const ALTERNATES = "objects/info/alternates";

/** The first is relative, because the folder may be mounted at another path. */
export const formatAlternates = (others: readonly string[]): string =>
  [`../${OBJECTS}`, ...others].map((path) => `${path}\n`).join("");

/** Other folders from which the repository reads objects. */
export const alternatesOf = (top: string): string[] =>
  [...runGit(top, ["count-objects", "-v"]).out.matchAll(/^alternate: (.+)$/gm)].map(
    ([, path = ""]) => path,
  );

function copyAll(from: string, to: string, wanted: RegExp): void {
  const how = { recursive: true, dereference: true, preserveTimestamps: true };
  for (const name of readdirSync(from).filter((one) => wanted.test(one)))
    cpSync(join(from, name), join(to, name), how);
}

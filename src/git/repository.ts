import { basename, join, relative, sep } from "node:path";
import { EPIC_FILES } from "../layouts/layout.ts";
import { isBookkeeping } from "../store/bookkeeping.ts";
import { findGit, type GitDirs } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { knownRecord } from "../store/vault.ts";

/** A spec's place in the repository of its project. Names are relative to the top, as in git. */
export interface Repository {
  readonly git: GitDirs;
  /** The spec's folder, epics, the pointer and the settings: they control the loop and are not a task's work. */
  readonly own: readonly string[];
  readonly isOwn: (name: string) => boolean;
  /** Of those, all but documents and whatever else a task may write in the spec's folder. */
  readonly isBookkeeping: (name: string) => boolean;
  /** Unique among the specs that have checkpoints in this repository. */
  readonly key: string;
}

export function findRepository(spec: Spec): Repository | undefined {
  // The record pins the repository.
  knownRecord(spec);
  const git = findGit(spec.project.root);
  if (git === undefined) return undefined;
  const { project } = spec;
  const { peer } = project.layout;
  const top = realPathOf(git.top);
  const inside = (path: string): string | undefined => {
    const name = relative(top, realPathOf(path)).split(sep).join("/");
    return name === "" || name === ".." || name.startsWith("../") ? undefined : name;
  };
  const folder = inside(spec.folder);
  const own = [
    folder,
    ...[project.extras ?? [], ...project.specsDirs]
      .flat()
      .map((specs) => inside(join(specs, EPIC_FILES.folder))),
    inside(project.pointer),
    inside(join(project.root, project.layout.settingsFile)),
    peer === undefined ? undefined : inside(join(project.root, peer.file)),
  ].filter((name) => name !== undefined);
  const isOwn = (name: string): boolean =>
    own.some((one) => name === one || name.startsWith(`${one}/`));
  const inFolder = `${folder ?? ""}/`;
  return {
    git: { ...git, top },
    own,
    isOwn,
    isBookkeeping: (name) =>
      name.startsWith(inFolder) ? isBookkeeping(spec, name.slice(inFolder.length)) : isOwn(name),
    key: keyOf(spec, git, folder ?? spec.folder),
  };
}

/** Names of other refs next to the checkpoints of specs. */
const KEPT_NAMES = new Set(["undone", "aside", "discarded"]);

/** All work trees and projects of a repository share its refs, so the spec's name alone is not always unique. */
function keyOf(spec: Spec, git: GitDirs, folder: string): string {
  const isUsual = folder === `${spec.project.layout.specsDirs[0]}/${spec.name}`;
  const tree = git.own === git.common ? "" : basename(git.own);
  const parts = [spec.name, isUsual ? "" : folder, tree].map(refPart);
  // A part becomes a file name, which has at most 255 bytes.
  const key = parts
    .join("@")
    .replace(/@{1,2}$/, "")
    .slice(0, 200);
  return KEPT_NAMES.has(key) ? `${key}%` : key;
}

/** Encodes a text as one part of a ref's name: different texts stay different, and git accepts the result. */
export const refPart = (text: string): string =>
  text.replace(/[^\w.#-]|^\.|\.(?=\.|$|lock$)/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );

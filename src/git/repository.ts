import { realpathSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { findGit, type GitDirs } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";

/** A spec's place in the repository of its project. Names are as git has them, from the top. */
export interface Repository {
  readonly git: GitDirs;
  /** The spec's folder, the pointer and the settings: they steer the loop and are no task's work. */
  readonly own: readonly string[];
  readonly isOwn: (name: string) => boolean;
  /** Unlike that of any other spec whose checkpoints lie in this repository. */
  readonly key: string;
}

export function findRepository(spec: Spec): Repository | undefined {
  const git = findGit(spec.project.root);
  if (git === undefined) return undefined;
  const { project } = spec;
  const top = realOr(git.top);
  const inside = (path: string): string | undefined => {
    const name = relative(top, realOr(path)).split(sep).join("/");
    return name === "" || name === ".." || name.startsWith("../") ? undefined : name;
  };
  const folder = inside(spec.folder);
  const own = [
    folder,
    inside(project.pointer),
    inside(join(project.root, project.layout.settingsFile)),
  ].filter((name) => name !== undefined);
  return {
    git: { ...git, top },
    own,
    isOwn: (name) => own.some((one) => name === one || name.startsWith(`${one}/`)),
    key: keyOf(spec, git, folder ?? spec.folder),
  };
}

/** Refs are shared by all work trees and all projects of a repository: the name is enough only where it is alone. */
function keyOf(spec: Spec, git: GitDirs, folder: string): string {
  const isUsual = folder === `${spec.project.layout.specsDirs[0]}/${spec.name}`;
  const tree = git.own === git.common ? "" : basename(git.own);
  const parts = [spec.name, isUsual ? "" : folder, tree].map(refPart);
  // A part is a file's name, where 255 bytes are all there is.
  const key = parts
    .join("@")
    .replace(/@{1,2}$/, "")
    .slice(0, 200);
  return key === "undone" ? "undone%" : key;
}

/** As one part of a ref's name: no two texts become the same, and git takes it. */
export const refPart = (text: string): string =>
  text.replace(/[^\w.#-]|^\.|\.(?=\.|$|lock$)/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

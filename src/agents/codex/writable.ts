import { relative } from "node:path";
import { findGit } from "../../store/git-files.ts";
import type { Work } from "../port.ts";

/** Its sandbox keeps a work tree's own folder in the repository from being written, even where the repository may be. */
export function writableFor({ cwd, writable }: Pick<Work, "cwd" | "writable">): readonly string[] {
  const own = findGit(cwd)?.own;
  if (own === undefined) return writable;
  const isIn = (folder: string): boolean => !/^$|^\.\./.test(relative(folder, own));
  return writable.some(isIn) ? [...writable, own] : writable;
}

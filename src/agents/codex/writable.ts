import { relative } from "node:path";
import { findGit } from "../../store/git-files.ts";
import type { Work } from "../port.ts";

/** Its sandbox write-protects a work tree's own folder in the repository, even if the repository itself is writable. */
export function writableFor({ cwd, writable }: Pick<Work, "cwd" | "writable">): readonly string[] {
  const own = findGit(cwd)?.own;
  if (own === undefined) return writable;
  const isIn = (folder: string): boolean => !/^$|^\.\./.test(relative(folder, own));
  return writable.some(isIn) ? [...writable, own] : writable;
}

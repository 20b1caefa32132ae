import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import type { Mounts } from "./sandbox-argv.ts";

/** How git's folder is seen in a sandbox. */
export type GitMounts = Pick<Mounts, "readable" | "writable" | "readOnly" | "placed">;

/** A Verify writes in the work tree, but only reads git: the git outside would follow what is changed there. */
export function readGitMounts(cwd: string): GitMounts {
  const git = findGit(cwd);
  if (git === undefined) return { readable: [], writable: [], readOnly: [], placed: [] };
  const { top, own, common } = git;
  return { readable: [], writable: [top], readOnly: [common, own, join(top, ".git")], placed: [] };
}

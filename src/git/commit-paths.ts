import { LONG } from "./own-tree.ts";
import { type GitOptions, namesOf, reasonIn, runGit, whyNot } from "./run.ts";
import { stageNames } from "./stage.ts";

/**
 * Uncommitted files in one of our work trees, relative to its top: tracked or not, but not ignored. Throws if git does
 * not answer: that must not count as a clean tree.
 */
export function listDirty(
  top: string,
  below: readonly string[] = [],
  env: GitOptions["env"] = {},
): string[] {
  const options = ["--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"];
  const { ok, out, err } = runGit(top, ["status", ...options, "--", ...below], {
    ...LONG,
    env: { ...LONG.env, ...env },
  });
  if (!ok) throw new Error(`git cannot say what is uncommitted in ${top}: ${reasonIn(err)}`);
  return namesOf(out).map((record) => record.slice(3));
}

/** Commits only these files, in the name of git's user, or ours. Returns why it failed, or undefined. */
export function commitPaths(
  top: string,
  names: readonly string[],
  message: string,
): string | undefined {
  if (names.length === 0) return undefined;
  const input = `${names.join("\0")}\0`;
  const listed = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const added = stageNames(top, names, LONG);
  if (!added.ok) return reasonIn(added.err);
  const options = ["--quiet", "--no-verify", "--no-gpg-sign", "-m", message, "--only", ...listed];
  return whyNot(top, ["commit", ...options], { ...LONG, input });
}

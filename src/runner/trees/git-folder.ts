import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import type { TrunkPlace, TrunkRecord } from "../../engine/trunk-record.ts";
import { collectPrivateGit } from "../../git/collect-private.ts";
import { listNewGitLinks, readGitLinks, tellGitLinks } from "../../git/git-links.ts";
import { findGit } from "../../store/git-files.ts";
import type { Spec } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";

/**
 * Call before our git works on a run that this process did not begin. Refuses if something in git's folder has become a
 * link since the run began: nobody watched. Then brings what an agent committed in a sandbox before its run was killed.
 */
export function requireGitFolder(
  { top, branch }: TrunkPlace,
  { links }: TrunkRecord,
  home: Spec,
): void {
  const git = findGit(home.project.root);
  if (git === undefined) return;
  // Tools that share a repository link its folders; the files in them are never links.
  const known = Object.entries(readGitLinks(git)).filter(([name]) => !name.includes("/"));
  const [first, ...more] = listNewGitLinks(git, links ?? Object.fromEntries(known));
  if (first !== undefined)
    throw new Refusal(
      "refused",
      `${oneLine(tellGitLinks([first, ...more]), 500)}: that is a link since the run began, and git would write to its target`,
      `remove it (${join(git.common, first.name)}) and try again; if it is yours, merge ${branch} yourself`,
    );
  collectPrivateGit(top, { isLive: false });
}

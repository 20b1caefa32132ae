import type { Request } from "../engine/request.ts";
import { collectPrivateGit } from "../git/collect-private.ts";
import { dropNewGitLinks, readGitLinks } from "../git/git-links.ts";
import { headOf } from "../git/own-tree.ts";
import { readWorkTree } from "../git/working-tree.ts";
import { barGit, findGit, readBranch } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { openEdits } from "./edits.ts";
import { type Aftermath, NO_AFTERMATH, type RunGround } from "./ground.ts";

/** The user's own tree. Nothing is undone there: the next attempt is told what the last one began. */
export function groundHere({ signal }: Pick<Request, "signal">, spec: Spec): RunGround {
  const git = findGit(spec.project.root);
  if (git === undefined) barGit(spec.project.root);
  else collectPrivateGit(git.top, { isLive: false });
  return {
    spec,
    cwd: spec.project.root,
    branch: readBranch(git) ?? null,
    writable: git === undefined ? [] : [git.common],
    notes: [],
    edits: openEdits(spec.project.root),
    begin() {
      if (git === undefined) return () => NO_AFTERMATH;
      const links = readGitLinks(git);
      const wasRead = readWorkTree(git.top) !== undefined;
      return () => {
        const linked = dropNewGitLinks(git, links);
        if (linked !== undefined) return { notes: [], failed: linked };
        return wasRead && readWorkTree(git.top) === undefined ? UNREAD : NO_AFTERMATH;
      };
    },
    rewind: async () => undefined,
    checkOut: async () => ({
      root: spec.project.root,
      commit: (git && headOf(git.top)) ?? "",
      signal: signal(),
      isHere: true,
      remove: () => undefined,
    }),
    close: () => undefined,
  };
}

/** We repair nothing in the user's own tree. */
const UNREAD: Aftermath = {
  notes: [],
  failed: "git can no longer say what is uncommitted: git status there says why",
};

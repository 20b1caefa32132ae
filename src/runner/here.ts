import type { Request } from "../engine/request.ts";
import { headOf } from "../git/own-tree.ts";
import { readWorkTree } from "../git/working-tree.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { type Aftermath, NO_AFTERMATH, type RunGround } from "./ground.ts";

/** The user's own tree. Nothing is undone there: the next attempt is told what the last one began. */
export function groundHere({ signal }: Pick<Request, "signal">, spec: Spec): RunGround {
  const git = findGit(spec.project.root);
  return {
    spec,
    cwd: spec.project.root,
    branch: readBranch(git) ?? null,
    writable: git === undefined ? [] : [git.common],
    notes: [],
    begin() {
      const wasRead = git !== undefined && readWorkTree(git.top) !== undefined;
      return () => (wasRead && readWorkTree(git.top) === undefined ? UNREAD : NO_AFTERMATH);
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

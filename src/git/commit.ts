import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { runGit } from "./run.ts";
import { aroundSpec } from "./spec-repository.ts";
import type { Spec } from "../store/spec.ts";

export type Committed =
  | { readonly kind: "committed"; readonly sha: string }
  /** Nothing to commit: outside git, ignored, or as it was. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Commits some files of a spec, and nothing else that is staged or changed. Hooks of the repository are for code; they
 * may take minutes, and have nothing to say about a document.
 */
export function commitFiles(spec: Spec, names: readonly string[], message: string): Committed {
  const { above, within } = aroundSpec(spec);
  const git = (...args: string[]) => runGit(above, args);
  const changed = names
    .map((name) => ({ name: within(name), status: statusOf(spec, name) }))
    .filter(({ status }) => status !== "");
  if (changed.length === 0) return { kind: "nothing" };
  const busy = readOperation(spec);
  if (busy !== undefined) return { kind: "failed", why: `git is in the middle of a ${busy}` };
  const wanted = changed.map(({ name }) => name);
  const fresh = changed.filter(({ status }) => status.startsWith("??")).map(({ name }) => name);
  const added = git("add", "--", ...wanted);
  const done = added.ok
    ? git("commit", "--quiet", "--no-verify", "-m", message, "--", ...wanted)
    : added;
  if (!done.ok) {
    // What was not staged before us is not staged after us.
    if (fresh.length > 0) git("rm", "--cached", "--quiet", "--force", "--", ...fresh);
    return { kind: "failed", why: reasonOf(done.err || done.out) };
  }
  return { kind: "committed", sha: git("rev-parse", "--short", "HEAD").out.trim() };
}

/** Whether git has a file of a spec. `unknown`: there is a repository, but git does not say. */
export function readTracking(spec: Spec, name: string): "tracked" | "untracked" | "unknown" {
  const { above, within, isRepository } = aroundSpec(spec);
  // Then the file may be in that one, which nobody asks.
  if (isRepository) return "unknown";
  if (findGit(above) === undefined) return "untracked";
  const { ok, out } = runGit(above, ["ls-files", "-z", "--", within(name)]);
  if (!ok) return "unknown";
  return out === "" ? "untracked" : "tracked";
}

/** Whether a file may have come with the repository: it does unless git clearly says that it does not have it. */
export const isTracked = (spec: Spec, name: string): boolean =>
  readTracking(spec, name) !== "untracked";

function statusOf(spec: Spec, name: string): string {
  const { above, within } = aroundSpec(spec);
  const wish = ["--porcelain=v1", "--untracked-files=all", "--ignore-submodules=dirty"];
  return runGit(above, ["status", ...wish, "--", within(name)]).out;
}

/** Files that git keeps while it waits for the user to go on; a commit now would become part of that. */
const OPERATIONS: readonly [file: string, operation: string][] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

function readOperation(spec: Spec): string | undefined {
  const own = findGit(aroundSpec(spec).above)?.own ?? "";
  return OPERATIONS.find(([file]) => existsSync(join(own, file)))?.[1];
}

/** Git gives hints first, in some places. */
const reasonOf = (text: string): string => {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? "").trim();
};

import { sep } from "node:path";
import { findGit } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { readOperation } from "./operation.ts";
import { type GitAnswer, reasonIn, runGit } from "./run.ts";
import { locateSpec, type SpecFolder } from "./spec-repository.ts";
import { stageNames } from "./stage.ts";

export type CommitResult =
  | { readonly kind: "committed"; readonly sha: string }
  /** Outside git, ignored, or unchanged. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly why: string };

/** A file as it was last committed. */
export function readCommitted(place: SpecFolder, name: string): string | undefined {
  const { above, within, isRepository } = locateSpec(place);
  if (isRepository || findGit(above) === undefined) return undefined;
  const { ok, out } = runGit(above, ["show", `HEAD:./${within(name).split(sep).join("/")}`]);
  return ok ? out : undefined;
}

/**
 * Commits some files of a spec, and nothing else that is staged or changed. The repository's hooks are not run: they are
 * for code, and may take minutes.
 */
export function commitFiles(
  spec: SpecFolder,
  names: readonly string[],
  message: string,
): CommitResult {
  const { above, within } = locateSpec(spec);
  const changed = names
    .map((name) => ({ name: within(name), status: statusOf(spec, name) }))
    .filter(({ status }) => status !== "");
  if (changed.length === 0) return { kind: "nothing" };
  const wanted = changed.map(({ name }) => name);
  const fresh = changed.filter(({ status }) => status.startsWith("??")).map(({ name }) => name);
  const result = commitOnly(above, wanted, message, () => stageNames(above, wanted));
  // What was not staged before must not be staged after.
  if (result.kind === "failed" && fresh.length > 0)
    runGit(above, ["rm", "-r", "--cached", "--quiet", "--force", "--", ...fresh]);
  return result;
}

function commitOnly(
  above: string,
  names: readonly string[],
  message: string,
  stage: () => GitAnswer,
): CommitResult {
  const repository = findGit(above);
  const busy = repository && readOperation(repository);
  if (busy !== undefined) return { kind: "failed", why: `git is in the middle of a ${busy}` };
  const added = stage();
  const commit = ["commit", "--quiet", "--no-verify", "-m", message, "--", ...names];
  const done = added.ok ? runGit(above, commit) : added;
  if (!done.ok) return { kind: "failed", why: reasonIn(done.err || done.out) };
  return { kind: "committed", sha: runGit(above, ["rev-parse", "--short", "HEAD"]).out.trim() };
}

/** Commits that the folder of a spec, which was called `from`, has another name now. */
export function commitRename(spec: Spec, from: string, message: string): CommitResult {
  const { above, within } = locateSpec(spec);
  const old = runGit(above, ["ls-files", "-z", "--", from]);
  if (!old.ok || old.out === "") return { kind: "nothing" };
  const both = [from, within("")];
  return commitOnly(above, both, message, () => runGit(above, ["add", "--all", "--", ...both]));
}

/** Whether git tracks a file of a spec; not if it does not answer. */
export function isTracked(spec: Spec, name: string): boolean {
  const { above, within, isRepository } = locateSpec(spec);
  // The file may be in that repository, in which we never run git.
  if (isRepository || findGit(above) === undefined) return false;
  const { ok, out } = runGit(above, ["ls-files", "-z", "--", within(name)]);
  return ok && out !== "";
}

function statusOf(spec: SpecFolder, name: string): string {
  const { above, within } = locateSpec(spec);
  const wish = ["--porcelain=v1", "--untracked-files=all"];
  return runGit(above, ["status", ...wish, "--", within(name)]).out;
}

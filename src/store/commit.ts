import { join } from "node:path";
import { runGit } from "./git-run.ts";
import type { Spec } from "./spec.ts";

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
  const paths = names.map((name) => join(spec.folder, name));
  const wanted = paths.filter((path) => isWanted(spec, path));
  if (wanted.length === 0) return { kind: "nothing" };
  const added = runGit(spec.folder, ["add", "--", ...wanted]);
  if (!added.ok) return { kind: "failed", why: firstLine(added.err) };
  const args = ["commit", "--quiet", "--no-verify", "-m", message, "--", ...wanted];
  const { ok, err, out } = runGit(spec.folder, args);
  if (!ok) return { kind: "failed", why: firstLine(err || out) };
  const head = runGit(spec.folder, ["rev-parse", "--short", "HEAD"]);
  return { kind: "committed", sha: head.out.trim() };
}

/** New or changed, and not ignored. */
function isWanted(spec: Spec, path: string): boolean {
  const { ok, out } = runGit(spec.folder, ["status", "--porcelain=v1", "--", path]);
  return ok && out !== "";
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";

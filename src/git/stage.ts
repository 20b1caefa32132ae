import { existsSync } from "node:fs";
import { join } from "node:path";
import { type GitAnswer, type GitOptions, namesOf, runGit } from "./run.ts";

/**
 * Stages files as `git add --all` does, but looks into no submodule: there git would start what the submodule's own
 * settings name, which an agent may have written. Names are relative to `root`.
 */
export function stageNames(
  root: string,
  names: readonly string[],
  options: GitOptions = {},
): GitAnswer {
  // So git names one in its status; a folder that the caller names is just a folder.
  const nested = names.find((name) => name.endsWith("/") && existsSync(join(root, name, ".git")));
  if (nested !== undefined)
    return { ok: false, out: "", err: `fatal: ${nested} is a repository of its own` };
  const links = listLinks(root, options);
  const isLink = (name: string): boolean => links.has(name);
  const files = names.filter((name) => !isLink(name));
  const added = files.length === 0 ? NOTHING : add(root, files, ["--all"], options);
  return added.ok ? stageLinks(root, names.filter(isLink), options) : added;
}

/** Stages all that git tracks, and new files too if `others`, in the same way. */
export function stageAll(
  top: string,
  { others }: { readonly others: boolean },
  options: GitOptions = {},
): GitAnswer {
  // One file that cannot be read must not lose all others.
  const how = others ? ["--all", "--ignore-errors"] : ["--update"];
  const links = listLinks(top, options);
  if (links.size === 0) return runGit(top, [...PLAIN, "add", ...how], options);
  const wish = ["--modified", "--deleted", ...(others ? ["--others", "--exclude-standard"] : [])];
  const { ok, out, err } = runGit(top, ["ls-files", "-z", ...wish], options);
  if (!ok) return { ok, out, err };
  const names = [...new Set(namesOf(out))];
  const files = names.filter((name) => !links.has(name) && !name.endsWith("/"));
  const added = files.length === 0 ? NOTHING : add(top, files, how, options);
  const linked = stageLinks(
    top,
    names.filter((name) => links.has(name)),
    options,
  );
  return added.ok ? linked : added;
}

/** The submodules, by their names from `root`. */
export function listLinks(root: string, options: GitOptions = {}): ReadonlySet<string> {
  const { out } = runGit(root, ["ls-files", "--stage", "-z"], options);
  const links = namesOf(out).filter((entry) => entry.startsWith("160000 "));
  return new Set(links.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
}

const PLAIN = ["-c", "core.safecrlf=false"];
const NOTHING: GitAnswer = { ok: true, out: "", err: "" };

const listed = (names: readonly string[]): string => names.map((name) => `${name}\0`).join("");

/** By the commit that is checked out there: git reads its HEAD, and starts nothing. */
const stageLinks = (root: string, names: readonly string[], options: GitOptions): GitAnswer =>
  names.length === 0
    ? NOTHING
    : runGit(root, ["update-index", "-z", "--add", "--remove", "--stdin"], {
        ...options,
        input: listed(names),
      });

const add = (
  root: string,
  names: readonly string[],
  how: readonly string[],
  options: GitOptions,
): GitAnswer =>
  runGit(root, [...PLAIN, "add", ...how, "--pathspec-from-file=-", "--pathspec-file-nul"], {
    ...options,
    input: listed(names),
  });

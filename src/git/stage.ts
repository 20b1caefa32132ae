import { existsSync } from "node:fs";
import { join } from "node:path";
import { type GitAnswer, type GitOptions, namesOf, runGit } from "./run.ts";

/**
 * Stages files as `git add --all` does, but does not look into submodules: there git would run commands from the
 * submodule's own settings, which an agent may have written. Names are relative to `root`.
 */
export function stageNames(
  root: string,
  names: readonly string[],
  options: GitOptions = {},
): GitAnswer {
  // In git's status, a trailing slash marks a nested repository; from a caller it may be a plain folder.
  const nested = names.find((name) => name.endsWith("/") && existsSync(join(root, name, ".git")));
  if (nested !== undefined)
    return { ok: false, out: "", err: `fatal: ${nested} is a separate repository` };
  const links = listLinks(root, options);
  const isLink = (name: string): boolean => links.has(name);
  const files = names.filter((name) => !isLink(name));
  const added = files.length === 0 ? NOTHING : add(root, files, ["--all"], options);
  return added.ok ? stageLinks(root, names.filter(isLink), options) : added;
}

/** Stages everything that git tracks, and new files too if `others`, in the same way. */
export function stageAll(
  top: string,
  { others }: { readonly others: boolean },
  options: GitOptions = {},
): GitAnswer {
  // A single unreadable file must not cost all the others.
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

/** The paths of submodules, relative to `root`. */
export const listLinks = (root: string, options: GitOptions = {}): ReadonlySet<string> =>
  linksAmong(runGit(root, ["ls-files", "--stage", "-z"], options).out);

/** Those among the entries of an index or a tree. */
export function linksAmong(out: string): ReadonlySet<string> {
  const links = namesOf(out).filter((entry) => entry.startsWith("160000 "));
  return new Set(links.map((entry) => entry.slice(entry.indexOf("\t") + 1)));
}

const PLAIN = ["-c", "core.safecrlf=false"];
const NOTHING: GitAnswer = { ok: true, out: "", err: "" };

const listed = (names: readonly string[]): string => names.map((name) => `${name}\0`).join("");

/** Stages the commit that is checked out in each submodule: git only reads its HEAD, and runs nothing. */
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

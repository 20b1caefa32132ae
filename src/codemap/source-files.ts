import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesOf, runGit } from "../git/run.ts";
import { isContainedOrSame } from "../store/containment.ts";
import { entriesIn } from "../store/read.ts";
import { orElse } from "../text/or-else.ts";
import { classify, type Category, isOutputFolder } from "./classify.ts";
import type { IndexedFile } from "./code-index.ts";

/** A larger folder is not a project that a person works on: what was found so far is indexed. */
const MAX = { files: 50_000, visited: 300_000, depth: 40 } as const;

export type SourceFile = Pick<IndexedFile, "path" | "category" | "size" | "mtime">;

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  /** From git's list, or by walking every folder. */
  readonly by: "git" | "walk";
  /** Files that are not source: data, pictures, lock files, generated code. */
  readonly other: number;
  /** True if there were more than we look at. */
  readonly cut: boolean;
}

/** Names are relative to `root`, with forward slashes. Our own files count neither way. */
export function listSourceFiles(
  root: string,
  isOwn: (path: string) => boolean,
  isWanted: (path: string, category: Category) => boolean,
): SourceFiles {
  const listed = gitNames(root);
  const names = listed?.names ?? walk(root);
  const inside = makeInsideTest(root);
  const files: SourceFile[] = [];
  let other = listed?.marked ?? 0;
  for (const path of names) {
    if (isOwn(path)) continue;
    const category = classify(path);
    if (category === undefined) {
      other++;
      continue;
    }
    if (files.length >= MAX.files) break;
    if (!isWanted(path, category) || !inside(path)) continue;
    // Links are skipped: their targets are listed themselves, or are outside the project.
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isFile() !== true) continue;
    files.push({ path, category, size: stat.size, mtime: Math.floor(stat.mtimeMs) });
  }
  const cut = files.length >= MAX.files || names.length >= MAX.visited;
  return { files, by: listed === undefined ? "walk" : "git", other, cut };
}

/** Tracked, or new and not ignored; without what the repository marks as generated or vendored. */
function gitNames(root: string): { names: string[]; marked: number } | undefined {
  const listed = runGit(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    timeoutMs: 60_000,
  });
  // A folder that the repository around it ignores is still a project.
  const names = listed.ok ? [...new Set(namesOf(listed.out))].slice(0, MAX.visited) : [];
  if (names.length === 0) return undefined;
  const marked = markedNames(root, names);
  return { names: names.filter((name) => !marked.has(name)), marked: marked.size };
}

const MARKS = ["linguist-generated", "linguist-vendored"];

function markedNames(root: string, names: readonly string[]): ReadonlySet<string> {
  const { ok, out } = runGit(root, ["check-attr", "-z", "--stdin", ...MARKS], {
    input: names.map((name) => `${name}\0`).join(""),
    timeoutMs: 60_000,
  });
  const marked = new Set<string>();
  const fields = ok ? out.split("\0") : [];
  for (let i = 0; i + 2 < fields.length; i += 3) {
    if (["set", "true"].includes(fields[i + 2] as string)) marked.add(fields[i] as string);
  }
  return marked;
}

function walk(root: string): string[] {
  const names: string[] = [];
  const folders: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { path, depth } = next;
    for (const entry of entriesIn(join(root, path))) {
      if (names.length >= MAX.visited) return names;
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) names.push(name);
      else if (entry.isDirectory() && depth < MAX.depth && !isOutputFolder(entry.name))
        folders.push({ path: name, depth: depth + 1 });
    }
  }
  return names.sort();
}

/** Git lists a file by its name even if a folder on the way to it has become a link out of the project. */
function makeInsideTest(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(join(root, path));
    const isInside = known.get(folder) ?? isFolderInside(root, folder);
    known.set(folder, isInside);
    return isInside;
  };
}

const isFolderInside = (root: string, folder: string): boolean =>
  orElse(() => isContainedOrSame({ root, outside: [] }, folder, true), false);

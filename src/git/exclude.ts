import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { layouts } from "../layouts/all.ts";
import { EPIC_FILES, INBOX_FILE, type Layout } from "../layouts/layout.ts";
import { findGit, type GitDirs } from "../store/git-files.ts";
import { removeTemporary } from "../store/leftovers.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { faultOf, FileFault } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { isWorkTreeOf } from "./linked-work-tree.ts";

const HEADING = "# Smart Ralph: state, journal and pointers are not committed";

/** A spec, or an epic. */
type SpecFolder = Pick<Spec, "project" | "folder">;

/**
 * Adds our files to the repository's own exclude list, which is not tracked. Outside git there is nothing to do. Returns
 * why the list cannot be written, which is not a reason to refuse a run.
 */
export const keepOutOfGit = (spec: SpecFolder): string | undefined =>
  // A folder in `specs_dirs` may belong to another repository than the project.
  excludeIn([spec.project.root, realpathSync(spec.folder)], (git) => patternsOf(git, spec));

/** The same for a file in the project that belongs to this machine only. */
export const keepFileOutOfGit = (root: string, path: string): string | undefined =>
  excludeIn([root], ({ top }) => [patternFor(relative(top, join(root, path)))]);

function excludeIn(
  folders: readonly string[],
  patterns: (git: GitDirs) => readonly string[],
): string | undefined {
  const found = folders.map(findGit);
  const repositories = new Map(found.flatMap((git) => (git ? [[git.common, git]] : [])));
  try {
    for (const git of repositories.values()) {
      // A `.git` file may name any folder. It has an exclude list only if git's own files are there.
      if (!existsSync(join(git.common, "HEAD"))) continue;
      if (!isWorkTreeOf(git))
        return `${join(git.top, ".git")} names another work tree's repository`;
      exclude(git, patterns(git));
    }
    return undefined;
  } catch (error) {
    return faultOf(error) ?? String(error);
  }
}

function exclude(git: GitDirs, patterns: readonly string[]): void {
  const folder = { root: git.common, outside: [] };
  const path = join(git.common, "info", "exclude");
  const file = readProjectFile(folder, path, 1 << 20);
  if (file.kind === "unreadable") throw new FileFault(path, file.why);
  const old = file.kind === "ok" ? file.text : "";
  const known = new Set(old.split(/\r?\n/));
  const missing = patterns.filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  const heading = known.has(HEADING) ? [] : [HEADING];
  const gap = old === "" || old.endsWith("\n") ? "" : "\n";
  const text = `${old}${gap}${[...heading, ...missing].join("\n")}\n`;
  makeProjectFolder(folder, dirname(path));
  removeTemporary(dirname(path), [basename(path)]);
  writeProjectFile(folder, path, text, file.kind === "ok" ? file.encoding : "utf8");
}

function patternsOf(git: GitDirs, { project }: SpecFolder): string[] {
  const { layout } = project;
  const patternOf = (path: string): string => {
    const name = relative(git.top, path);
    return name.startsWith("..") ? basename(path) : patternFor(name);
  };
  return [
    patternOf(project.pointer),
    // Newer versions of Spec Kit ignore it too.
    ...(layout.peer === undefined ? [] : [patternOf(join(project.root, layout.peer.file))]),
    ...namesOf(layout),
  ];
}

/** The same for every project. */
const namesOf = (layout: Layout): string[] => [
  layout.stateFile,
  layout.journalFile,
  INBOX_FILE,
  `${layout.lockFile}*`,
  `${layout.stateFile}.*.tmp`,
  `${INBOX_FILE}.*.tmp`,
  ".progress-task-*.md",
  ".ask-*",
  EPIC_FILES.pointer,
  `${EPIC_FILES.lock}*`,
  `${EPIC_FILES.state}.*.tmp`,
];

/** The lines of an exclude list that are not ours: ours name files that only we write, in whatever folder. */
export function listForeignExcludes(text: string): string[] {
  const own = new Set([HEADING, "", ...layouts.flatMap(namesOf)]);
  const pointers = layouts.flatMap(({ pointer, peer }) => [pointer, ...(peer ? [peer.file] : [])]);
  return text
    .split(/\r?\n/)
    .filter((line) => !own.has(line) && !pointers.some((one) => `/${line}`.endsWith(`/${one}`)));
}

const patternFor = (path: string): string => `/${path.split(sep).map(literal).join("/")}`;

/** A folder's name may contain characters that are special in a pattern. */
const literal = (name: string): string => name.replace(/[\\*?[\]]/g, "\\$&");

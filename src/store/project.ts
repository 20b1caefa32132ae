import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Layout } from "../core/layout.ts";
import { defaultSettings, parseSettings, type Settings } from "../core/settings.ts";
import { findGit } from "./git.ts";
import { MAX_BYTES, readText } from "./read.ts";

/** A folder that holds specs of one layout, and where in it they are. Paths are absolute. */
export interface Project {
  readonly layout: Layout;
  readonly root: string;
  readonly settings: Settings;
  /** The first one is the default; it holds the pointer in the specum layout. */
  readonly specsDirs: readonly [string, ...string[]];
  readonly pointer: string;
}

/**
 * The nearest folder upwards that has the layout's pointer or settings. Agents change directory and
 * people start in subfolders, so `starts` are only where the search begins.
 */
export function findProject(layout: Layout, starts: readonly string[]): Project | undefined {
  const root = findUpwards(starts, (folder) => isMarked(layout, folder));
  return root === undefined ? undefined : openProject(layout, root);
}

/** As above, but a folder that only has specs in it will do: for commands that make the pointer. */
export function findProjectWithSpecs(
  layout: Layout,
  starts: readonly string[],
): Project | undefined {
  const [home] = layout.specsDirs;
  const marker = layout.pointerIn === "specs-dir" ? home : layout.pointerIn;
  const root = findUpwards(starts, (folder) => existsSync(join(folder, marker)));
  return (
    findProject(layout, starts) ?? (root === undefined ? undefined : openProject(layout, root))
  );
}

export function openProject(layout: Layout, root: string): Project {
  const file = readText(join(root, layout.settingsFile), MAX_BYTES.settings);
  const settings = file.kind === "ok" ? parseSettings(file.text) : defaultSettings;
  const names = settings.specsDirs.length > 0 ? settings.specsDirs : layout.specsDirs;
  const folders = new Set(names.map((name) => resolve(root, name)));
  const [first, ...others] = [...folders] as [string, ...string[]];
  const pointerFolder = layout.pointerIn === "specs-dir" ? first : join(root, layout.pointerIn);
  return {
    layout,
    root,
    settings,
    specsDirs: [first, ...others],
    pointer: join(pointerFolder, layout.pointer),
  };
}

function isMarked(layout: Layout, folder: string): boolean {
  const [home] = layout.specsDirs;
  const pointerFolder = layout.pointerIn === "specs-dir" ? home : layout.pointerIn;
  return (
    existsSync(join(folder, pointerFolder, layout.pointer)) ||
    existsSync(join(folder, layout.settingsFile))
  );
}

/** No folder has a longer name, and to climb up one level by level would take for ever. */
const MAX_PATH = 4096;

function findUpwards(
  starts: readonly string[],
  matches: (folder: string) => boolean,
): string | undefined {
  for (const start of starts) {
    if (start.length > MAX_PATH) continue;
    for (const folder of upwards(resolve(start))) if (matches(folder)) return folder;
  }
  return undefined;
}

/** Up to the repository's top; without a repository, up to but not into the home folder. */
function* upwards(start: string): Generator<string> {
  const top = findGit(start)?.top;
  const home = process.env["HOME"] ?? process.env["USERPROFILE"];
  for (let folder = start; ; folder = dirname(folder)) {
    // As `relative` sees it: on Windows `c:\users` is `C:\Users`.
    if (top === undefined && home && relative(home, folder) === "" && folder !== start) return;
    yield folder;
    if (folder === top || dirname(folder) === folder) return;
  }
}

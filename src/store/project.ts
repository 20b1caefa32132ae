import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Edition } from "../layouts/layout.ts";
import type { IgnoredSetting } from "../run/combine-settings.ts";
import type { Settings } from "../run/settings.ts";
import { type Grounds, isSameOrBelow } from "./containment.ts";
import { findGit } from "./git-files.ts";
import { foreignAbove } from "./owner.ts";
import {
  readSettings,
  readUserSettings,
  type UserSettings,
  userSettingsFor,
} from "./settings-files.ts";
import { homeFolder } from "./vault-place.ts";

/** A folder that holds specs of one layout, and where in it they are. Paths are absolute. */
export interface Project extends Grounds {
  readonly layout: Edition;
  readonly settings: Settings;
  /** What the project's own settings file says and may not. */
  readonly ignored: readonly IgnoredSetting[];
  readonly user: UserSettings;
  /** The first one is the default; it holds the pointer in the specum layout. */
  readonly specsDirs: readonly [string, ...string[]];
  readonly pointer: string;
  /** Holds epics and the index of the code, if the first of `specsDirs` does not. */
  readonly extras?: string;
}

/**
 * The nearest folder upwards that has the layout's pointer or settings. Agents change directory and
 * people start in subfolders, so `starts` are only where the search begins.
 */
export function findProject(layout: Edition, starts: readonly string[]): Project | undefined {
  const user = readUserSettings(layout);
  const root = findUpwards(starts, (folder) => isMarked(layout, folder, user));
  return root === undefined ? undefined : openProject(layout, root, user);
}

/** The same, but a folder that has only specs in it counts too: for commands that write the pointer. */
export function findProjectWithSpecs(
  layout: Edition,
  starts: readonly string[],
): Project | undefined {
  const marked = findProject(layout, starts);
  if (marked !== undefined) return marked;
  const user = readUserSettings(layout);
  const markers = pointerFolders(layout, user);
  const root = findUpwards(starts, (folder) =>
    markers.some((marker) => existsSync(join(folder, marker))),
  );
  return root === undefined ? undefined : openProject(layout, root, user);
}

export function openProject(
  layout: Edition,
  root: string,
  found: UserSettings = readUserSettings(layout),
): Project {
  const user = userSettingsFor(root, found);
  const { settings, ignored } = readSettings(layout, root, user);
  const place = (name: string): string => resolve(root, name);
  const names = settings.specsDirs.length > 0 ? settings.specsDirs : layout.specsDirs;
  const [first, ...others] = [...new Set(names.map(place))] as [string, ...string[]];
  const pointerFolder = layout.pointerIn === "specs-dir" ? first : join(root, layout.pointerIn);
  return {
    layout,
    root,
    settings,
    ignored,
    user,
    specsDirs: [first, ...others],
    // A folder in the project does not count as outside, even if it is a link that leads there: a clone may bring it.
    outside: (user.said?.specsDirs ?? [])
      .map(place)
      .filter((folder) => !isSameOrBelow(folder, root)),
    pointer: join(pointerFolder, layout.pointer),
    ...(layout.extras === undefined ? {} : { extras: place(layout.extras) }),
  };
}

const isMarked = (layout: Edition, folder: string, user: UserSettings): boolean =>
  pointerFolders(layout, user).some((home) => existsSync(join(folder, home, layout.pointer))) ||
  existsSync(join(folder, layout.settingsFile));

/** Below the root of a project without settings. None if the user keeps all specs outside. */
function pointerFolders({ pointerIn, specsDirs }: Edition, { said }: UserSettings): string[] {
  if (pointerIn !== "specs-dir") return [pointerIn];
  const own = said?.specsDirs?.[0];
  return [...(own === undefined || isAbsolute(own) ? [] : [own]), specsDirs[0]];
}

/** No path is longer, and climbing up a longer one level by level would take forever. */
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

/**
 * Up to the repository's top; without a repository, up to but not into the home folder. Never past someone else's
 * folder: what they put into a shared folder is not meant for us.
 */
function* upwards(start: string): Generator<string> {
  yield start;
  const isForeign = foreignAbove(start);
  const top = findTop(start, isForeign);
  const home = homeFolder();
  for (let last = start; last !== top && dirname(last) !== last;) {
    last = dirname(last);
    // `relative` knows that `c:\users` is `C:\Users` on Windows.
    if (top === undefined && home && relative(home, last) === "") return;
    if (isForeign(last)) return;
    yield last;
  }
}

/** The top of the repository that a folder is in, unless someone else's folder is on the way there. */
export function findTop(start: string, isForeign = foreignAbove(start)): string | undefined {
  const top = findGit(start)?.top;
  if (top === undefined) return undefined;
  for (let folder = start; folder !== top;) {
    folder = dirname(folder);
    if (isForeign(folder)) return undefined;
  }
  return top;
}

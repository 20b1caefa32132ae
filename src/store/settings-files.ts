import { isAbsolute, join, resolve, sep } from "node:path";
import type { Edition } from "../layouts/layout.ts";
import { type CombinedSettings, combineSettings } from "../run/combine-settings.ts";
import { defaultSettings, parseSettings, type StatedSettings } from "../run/settings.ts";
import { isBelow, isSameOrBelow } from "./containment.ts";
import { whyNotPrivate } from "./owner.ts";
import { readProjectFile } from "./project-file.ts";
import { MAX_BYTES, readText, statOf } from "./read.ts";
import { homeFolder, realPathOf } from "./vault-place.ts";

/** The user's own settings for all projects: only they write this file, so everything in it counts. */
export interface UserSettings {
  /** Where the file is, or would be; undefined if nothing says where the user's files are. */
  readonly path: string | undefined;
  readonly said: StatedSettings | undefined;
  /** Why an existing file does not count. */
  readonly why?: string;
}

export function readUserSettings({ plugin }: Edition): UserSettings {
  const folder = configFolder();
  if (folder === undefined) return { path: undefined, said: undefined };
  const path = join(folder, "smart-ralph", `${plugin}.md`);
  const stat = statOf(path);
  if (stat === undefined) return { path, said: undefined };
  const why = whyNotPrivate(stat);
  if (why !== undefined) return { path, said: undefined, why };
  const file = readText(path, MAX_BYTES.settings);
  if (file.kind === "ok") return { path, said: parseSettings(file.text) };
  return { path, said: undefined, ...(file.kind === "unreadable" ? { why: file.why } : {}) };
}

function configFolder(): string | undefined {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows } = process.env;
  if (xdg && isAbsolute(xdg)) return xdg;
  if (process.platform === "win32" && windows) return windows;
  const home = homeFolder();
  return home ? join(home, ".config") : undefined;
}

/** For one project: a file in the project is the project's, even if the environment names it as the user's. */
export function userSettingsFor(root: string, user: UserSettings): UserSettings {
  if (user.said === undefined || user.path === undefined) return user;
  // By real path: a link must not turn the project's file into the user's.
  const [top, path] = [realPathOf(root), realPathOf(user.path)];
  const home = realPathOf(homeFolder() ?? "/");
  if (!isBelow(path, top) || isSameOrBelow(home, top)) return user;
  return { path: user.path, said: undefined, why: "it is in the project" };
}

export function readSettings(
  layout: Edition,
  root: string,
  { said: user }: UserSettings,
): CombinedSettings {
  const path = join(root, layout.settingsFile);
  const file = readProjectFile({ root, outside: [] }, path, MAX_BYTES.settings);
  if (file.kind !== "ok" && user === undefined) return { settings: defaultSettings, ignored: [] };
  const named = new Set((user?.specsDirs ?? []).map((folder) => resolve(root, folder)));
  return combineSettings(
    user ?? {},
    file.kind === "ok" ? parseSettings(file.text) : {},
    (folder) => {
      const place = resolve(root, folder);
      return isInProject(root, place) || named.has(place);
    },
  );
}

/** By path alone; links that lead out are found when the folder is used. */
const isInProject = (root: string, folder: string): boolean =>
  isBelow(folder, root) &&
  !folder
    .slice(root.length)
    .split(sep)
    .some((name) => name.toLowerCase() === ".git");

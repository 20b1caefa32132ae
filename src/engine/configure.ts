import { join } from "node:path";
import { RUN_SETTINGS } from "../run/run-settings.ts";
import { mapSettings, overlay, type Setting } from "../run/setting.ts";
import { parseSettingsFile } from "../run/settings-file.ts";
import { ALL_SETTINGS, type SettingHelp } from "../run/settings-help.ts";
import { defaultSettings, SETTINGS } from "../run/settings.ts";
import type { Project } from "../store/project.ts";
import { readUserText, writeUserText } from "../store/run-settings-file.ts";
import { formatFrontMatter, setFrontMatter } from "../text/set-front-matter.ts";
import { Refusal } from "./refusal.ts";

/** A setting as it is in force. */
export interface SettingInForce extends SettingHelp {
  /** As one would write it; empty if nothing is set. */
  readonly said: string;
  readonly from: "default" | "user" | "project";
  /** The file that says so. */
  readonly path: string | undefined;
}

export function readConfiguration(project: Project): readonly SettingInForce[] {
  const { user, root, layout } = project;
  // Without `said`, there is no such file, or it does not count.
  const text = user.said && user.path ? readUserText(user.path) : undefined;
  const own = text === undefined ? undefined : parseSettingsFile(text);
  const found = new Map<string, Pick<SettingInForce, "said" | "from" | "path">>();
  const note = ({ name, kind }: Setting, value: unknown, isProjects: boolean): void => {
    const path = isProjects ? join(root, layout.settingsFile) : user.path;
    const said = isProjects ? [value].flat().map(String) : (own?.values.get(name) ?? []);
    const shown = formatFrontMatter(said, kind.isList === true);
    found.set(name, { said: shown, from: isProjects ? "project" : "user", path });
  };
  const held = overlay(SETTINGS, defaultSettings, own?.said ?? {});
  mapSettings(
    SETTINGS,
    (row, said, before, value) => {
      const isProjects = `${value}` !== `${before}`;
      if (isProjects || said !== undefined) note(row, value, isProjects);
    },
    own?.said,
    held,
    project.settings,
  );
  mapSettings(RUN_SETTINGS, (row, said) => said !== undefined && note(row, said, false), own?.run);
  return ALL_SETTINGS.map((row) => ({
    ...row,
    ...(found.get(row.name) ?? { said: row.byDefault, from: "default", path: undefined }),
  }));
}

/** A change of the user's own settings file. */
export interface SettingPlan {
  readonly path: string;
  readonly isNew: boolean;
  /** What it says then; undefined if it says nothing about the setting. */
  readonly line: string | undefined;
  /** Undefined if it says so already. */
  readonly text: string | undefined;
}

/** `said` is the value, item by item; undefined: the default counts again. */
export function planSetting(
  { user: { path, why } }: Project,
  { name, kind }: Pick<Setting, "name" | "kind">,
  said: readonly string[] | undefined,
): SettingPlan {
  if (path === undefined)
    throw new Refusal("missing", "nothing says where your settings are", "set HOME");
  if (why !== undefined) throw new Refusal("refused", `${path} does not count: ${why}`);
  if (said !== undefined)
    kind.read(said, (what) => {
      throw new Refusal("usage", `${name} takes ${kind.takes}, not "${what}"`);
    });
  const value = said && formatFrontMatter(said, kind.isList === true);
  const line = value === undefined ? undefined : `${name}: ${value}`;
  const old = readUserText(path);
  const before = old ?? "";
  const text = setFrontMatter(before, name, value);
  if (text === undefined || !isAsSaid(before, text, name, said))
    throw new Refusal(
      "refused",
      `${name} cannot be changed in ${path}, because of how it is written there`,
      line === undefined ? "remove it there yourself" : `write ${line} there yourself`,
    );
  return { path, isNew: old === undefined, line, text: text === before ? undefined : text };
}

/** Whether the new text says what it should about the setting, and about everything else what the old one said. */
function isAsSaid(
  before: string,
  after: string,
  name: string,
  said: readonly string[] | undefined,
): boolean {
  const old = new Map(parseSettingsFile(before).values);
  const { values } = parseSettingsFile(after);
  old.delete(name);
  if (said !== undefined) old.set(name, said);
  return (
    old.size === values.size &&
    [...old].every(([key, items]) => values.get(key)?.join("\n") === items.join("\n"))
  );
}

export function writeSetting({ path, text, isNew }: SettingPlan): void {
  if (text !== undefined) writeUserText(path, text, isNew);
}

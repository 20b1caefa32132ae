import type { FrontMatter } from "../text/front-matter.ts";
import { readRunSettings, RUN_SETTINGS, type StatedRunSettings } from "./run-settings.ts";
import { type Misread, settingValues } from "./setting-values.ts";
import { readStated, SETTINGS, type StatedSettings } from "./settings.ts";

/** Both kinds: what each does is said in one place for `doctor` and the docs. */
export const ALL_SETTINGS: Readonly<Record<string, string>> = { ...SETTINGS, ...RUN_SETTINGS };

/** A settings file, and what in it was not understood: `doctor` names it. */
export interface SettingsFile {
  readonly said: StatedSettings;
  /** Counts only in the user's own file. */
  readonly run: StatedRunSettings;
  /** The settings of `run` that it has, as written. */
  readonly runKeys: readonly Misread[];
  readonly state: FrontMatter["state"];
  readonly isEmpty: boolean;
  readonly unknown: readonly string[];
  readonly misread: readonly Misread[];
  readonly unread: readonly string[];
}

export function parseSettingsFile(text: string): SettingsFile {
  const values = settingValues(text, Object.keys(ALL_SETTINGS));
  const said = readStated(values);
  const run = readRunSettings(values);
  const { front, misread } = values;
  const keys = [...front.values.keys()];
  return {
    said,
    run,
    runKeys: keys
      .filter((key) => Object.hasOwn(RUN_SETTINGS, key))
      .map((key) => ({ key, said: front.values.get(key)?.join(", ") ?? "" })),
    state: front.state,
    isEmpty: keys.length === 0,
    unknown: keys.filter((key) => !Object.hasOwn(ALL_SETTINGS, key)),
    misread,
    unread: front.unread,
  };
}

import type { FrontMatter } from "../text/front-matter.ts";
import { RUN_SETTINGS, type StatedRunSettings } from "./run-settings.ts";
import { frontMatterFor, listSettings, type Misread, readSettings } from "./setting.ts";
import { SETTINGS, type StatedSettings } from "./settings.ts";

/** A settings file, and what in it was not understood: `doctor` names it. */
export interface SettingsFile extends FrontMatter {
  readonly said: StatedSettings;
  /** Counts only in the user's own file. */
  readonly run: StatedRunSettings;
  /** The settings of `run` that it has, as written. */
  readonly runKeys: readonly Misread[];
  readonly isEmpty: boolean;
  readonly unknown: readonly string[];
  readonly misread: readonly Misread[];
}

const namesIn = (table: typeof SETTINGS | typeof RUN_SETTINGS): ReadonlySet<string> =>
  new Set(listSettings(table).map(({ name }) => name));

const OWN = namesIn(RUN_SETTINGS);
const ALL: ReadonlySet<string> = new Set([...namesIn(SETTINGS), ...OWN]);

export function parseSettingsFile(text: string): SettingsFile {
  const front = frontMatterFor(text, SETTINGS, RUN_SETTINGS);
  const misread: Misread[] = [];
  const keys = [...front.values.keys()];
  return {
    ...front,
    said: readSettings(SETTINGS, front, misread),
    run: readSettings(RUN_SETTINGS, front, misread),
    runKeys: keys
      .filter((key) => OWN.has(key))
      .map((key) => ({ key, said: front.values.get(key)?.join(", ") ?? "" })),
    isEmpty: keys.length === 0,
    unknown: keys.filter((key) => !ALL.has(key)),
    misread,
  };
}

/** Whether it is a setting of `run`. */
export const isOfRun = (key: string): boolean => OWN.has(key);

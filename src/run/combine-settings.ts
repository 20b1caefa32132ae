import { permittedByBoth } from "./allowed-commands.ts";
import { mapSettings, overlay, type Setting } from "./setting.ts";
import { defaultSettings, type Settings, SETTINGS, type StatedSettings } from "./settings.ts";
import { LIMITS } from "./state.ts";

/** A project setting that is ignored, as written there. */
export interface IgnoredSetting {
  readonly key: string;
  readonly said: string;
}

export interface CombinedSettings {
  readonly settings: Settings;
  readonly ignored: readonly IgnoredSetting[];
}

/**
 * The effective settings: the defaults, overridden by the user's file, then by the project's file, which comes with a
 * clone and so may only be stricter. `mayHold` says whether the project may use a folder for its specs.
 */
export function combineSettings(
  user: StatedSettings,
  project: StatedSettings,
  mayHold: (folder: string) => boolean = () => true,
): CombinedSettings {
  const ignored: IgnoredSetting[] = [];
  const take = (row: Setting, held: unknown, said: unknown): unknown => {
    const ignore = (what: unknown): void => void ignored.push({ key: row.name, said: `${what}` });
    if (said === undefined || said === held) return held;
    if (row.project === "both")
      return permittedByBoth(held as readonly string[] | undefined, said as readonly string[]);
    if (row.project === "inside") {
      const folders = said as readonly string[];
      for (const folder of folders) if (!mayHold(folder)) ignore(folder);
      const allowed = folders.filter(mayHold);
      return allowed.length === 0 ? held : allowed;
    }
    if (tightens(row, held, said)) return said;
    ignore(said);
    return held;
  };
  const base = overlay(SETTINGS, defaultSettings, user);
  const settings = mapSettings(SETTINGS, take, base, project) as Settings;
  return { settings, ignored };
}

/** Whether the project's value is at least as strict as the one it would replace. */
function tightens({ project, kind }: Setting, held: unknown, said: unknown): boolean {
  switch (project) {
    case "free":
      return true;
    case "false":
    case "true":
      return `${said}` === project;
    case "lower":
      // The one without a default of its own is how often a task is tried.
      return (said as number) <= ((held as number | undefined) ?? LIMITS.maxTaskIterations);
    case "stricter": {
      const order = kind.choices ?? [];
      return order.indexOf(said as string) > order.indexOf(held as string);
    }
    default:
      return false;
  }
}

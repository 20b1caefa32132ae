import {
  defaultRunSettings,
  fillRunDefaults,
  parseRunSettings,
  type RunSettings,
} from "../run/run-settings.ts";
import type { Project } from "./project.ts";
import { MAX_BYTES, readText } from "./read.ts";

/** What the user's own file says about `run`. The project's file has no say in it. */
export function readRunSettings({ user }: Pick<Project, "user">): RunSettings {
  // Without `said`, there is no such file, or it does not count.
  if (user.said === undefined || user.path === undefined) return defaultRunSettings;
  const file = readText(user.path, MAX_BYTES.settings);
  return fillRunDefaults(file.kind === "ok" ? parseRunSettings(file.text) : {});
}

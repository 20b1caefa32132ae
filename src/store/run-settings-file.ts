import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import {
  defaultRunSettings,
  fillRunDefaults,
  parseRunSettings,
  type RunSettings,
} from "../run/run-settings.ts";
import { isOfRun, parseSettingsFile } from "../run/settings-file.ts";
import type { Project } from "./project.ts";
import { FileFault, MAX_BYTES, readText } from "./read.ts";
import { realPathOf } from "./vault-place.ts";
import { writeWhole } from "./write.ts";

/** What the user's own file says about `run`. The project's file does not count. */
export function readRunSettings({ user }: Pick<Project, "user">): RunSettings {
  // Without `said`, there is no such file, or it is not trusted.
  if (user.said === undefined || user.path === undefined) return defaultRunSettings;
  const file = readText(user.path, MAX_BYTES.settings);
  return fillRunDefaults(file.kind === "ok" ? parseRunSettings(file.text) : {});
}

/** The first setting of `run` that cannot be understood, as written: a mistyped limit must not mean no limit. */
export function findMisread({ user }: Pick<Project, "user">): string | undefined {
  if (user.said === undefined || user.path === undefined) return undefined;
  const file = readText(user.path, MAX_BYTES.settings);
  if (file.kind !== "ok") return undefined;
  const { misread, unknown } = parseSettingsFile(file.text);
  const one = misread.find(({ key }) => isOfRun(key));
  if (one !== undefined) return `${one.key}: ${one.said}`;
  return unknown.find((key) => key.startsWith("run_"));
}

/** The text of the user's own settings; undefined if there is no such file. */
export function readUserText(path: string): string | undefined {
  const file = readText(path, MAX_BYTES.settings);
  if (file.kind === "unreadable") throw new FileFault(path, file.why);
  return file.kind === "ok" ? file.text : undefined;
}

export function writeUserText(path: string, text: string, isNew: boolean): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A link stays one: people keep such files elsewhere.
  writeWhole(realPathOf(path), text);
  // If others could write to it, it would not be trusted.
  if (isNew) chmodSync(path, 0o600);
}

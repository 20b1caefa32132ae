import { homedir } from "node:os";
import { join } from "node:path";
import { type FileText, readText } from "../../store/read.ts";
import { isObject } from "../../text/schema.ts";
import type { Environment } from "../host.ts";

type Json = Readonly<Record<string, unknown>>;

/** The user's own settings that are for one project only. */
export const LOCAL_SETTINGS = ".claude/settings.local.json";

export const configFolder = (env: Environment): string =>
  env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude");

/** Every file with settings of the client: the nearest, which wins, comes last. */
export const settingsFiles = (root: string | undefined, config: string): readonly string[] => [
  join(config, "settings.json"),
  ...(root === undefined
    ? []
    : [".claude/settings.json", LOCAL_SETTINGS].map((name) => join(root, name))),
];

/** One part of them all: what the user enables, a project may disable. */
export const readMerged = (files: readonly string[], key: string): Json =>
  Object.assign({}, ...files.map((file) => objectAt(readJson(file), key))) as Json;

/** Where the client keeps a plugin: older clients record one place, newer ones a list. */
export function readInstalled(config: string, id: string): readonly Json[] {
  const all = objectAt(readJson(join(config, "plugins", "installed_plugins.json")), "plugins");
  const places: readonly unknown[] = Array.isArray(all[id]) ? all[id] : [all[id]];
  return places.filter(isObject);
}

export const readSettingsText = (path: string): FileText => readText(path, 4 << 20);

export function readJson(path: string): unknown {
  const file = readSettingsText(path);
  if (file.kind === "absent") return {};
  if (file.kind === "unreadable") return "broken";
  try {
    return JSON.parse(file.text) as unknown;
  } catch {
    return "broken";
  }
}

export function objectAt(value: unknown, key: string): Json {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

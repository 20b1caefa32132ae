import { join } from "node:path";
import { fieldsOf, textOf, valuesOf } from "../agents/json.ts";
import { layouts } from "../layouts/all.ts";
import { objectAt, readJson } from "./settings-file.ts";

/** Gemini CLI, and what descends from it, install one extension of ours for all layouts. */
export const EXTENSION = "smart-ralph";

/** Its hooks are named after the plugin and the event. */
export const hookName = (plugin: string, event: string): string => `${plugin} ${event}`;

export const isOurHook = (name: unknown): name is string =>
  typeof name === "string" && layouts.some(({ plugin }) => name.startsWith(hookName(plugin, "")));

interface Extension {
  /** Where it is loaded from: a linked one stays where it is. */
  readonly folder: string;
  /** Undefined if it is not there. */
  readonly version: string | undefined;
  /** Folders with a star at the end, and a mark in front of those where it is off. */
  readonly rules: readonly string[];
}

/** Ours, if the client has it. `home` is its folder of settings. */
export function readExtension(client: string, home: string): Extension | undefined {
  const extensions = join(home, "extensions");
  const place = join(extensions, EXTENSION);
  const { type, source } = fieldsOf(readJson(join(place, `.${client}-extension-install.json`)));
  const folder = type === "link" ? (textOf(source) ?? place) : place;
  const manifest = fieldsOf(readJson(join(folder, `${client}-extension.json`)));
  const version = textOf(manifest["version"]);
  if (type === undefined && version === undefined) return undefined;
  const enablement = readJson(join(extensions, "extension-enablement.json"));
  const rules = valuesOf(objectAt(enablement, EXTENSION)["overrides"]);
  return { folder, version, rules: rules.flatMap((rule) => textOf(rule) ?? []) };
}

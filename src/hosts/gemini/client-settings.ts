import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../text/schema.ts";
import { objectAt, readJson, readMerged } from "../claude/client-settings.ts";
import type { Environment } from "../host.ts";
import { list, text } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

/** A project's settings of the client, relative to its root. It has no file for one user alone. */
export const PROJECT_SETTINGS = ".gemini/settings.json";

/** Ends a run of many turns in silence, unless it is off: see `doctor.ts`. */
export const LOOP_DETECTION = "disableLoopDetection";

const configFolder = (env: Environment): string =>
  join(env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), ".gemini");

/** One part of the settings that count in a project. */
export const readPart = (root: string, env: Environment, key: string): Json =>
  readMerged([join(configFolder(env), "settings.json"), join(root, PROJECT_SETTINGS)], key);

/** What the client knows about an extension. */
export interface Installed {
  readonly version: string | undefined;
  readonly isEnabled: boolean;
}

export function readExtension(name: string, root: string, env: Environment): Installed | undefined {
  const extensions = join(configFolder(env), "extensions");
  const source = readJson(join(extensions, name, ".gemini-extension-install.json"));
  // A linked one stays where it is.
  const linked = isObject(source) && source["type"] === "link" ? text(source["source"]) : undefined;
  const manifest = readJson(join(linked ?? join(extensions, name), "gemini-extension.json"));
  if (!isObject(manifest) || manifest["name"] !== name) return undefined;
  const rules = readJson(join(extensions, "extension-enablement.json"));
  return {
    version: text(manifest["version"]),
    isEnabled: isEnabled(list(objectAt(rules, name)["overrides"]), root),
  };
}

/** Rules are folders with a star at the end, a mark in front of those where it is off; the last that fits counts. */
function isEnabled(rules: readonly unknown[], root: string): boolean {
  const last = rules
    .flatMap((rule) => text(rule) ?? [])
    .findLast((rule) => `${root}/`.startsWith(rule.replace(/^!/, "").replace(/\*$/, "")));
  return last === undefined || !last.startsWith("!");
}

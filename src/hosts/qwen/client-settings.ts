import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../../text/schema.ts";
import { objectAt, readJson } from "../claude/client-settings.ts";
import type { Environment } from "../host.ts";
import { list, text } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

/** What the client calls our package. */
export const EXTENSION = "smart-ralph";

/** The project's own settings. The client has no file that is for one project and one user. */
export const PROJECT_SETTINGS = ".qwen/settings.json";

/** How many blocks of a stop hook the client obeys in one prompt: one less than this, and never more than 99. */
export const CAP = { setting: "stopHookBlockingCap", usual: 8, most: 100 } as const;

const homeOf = (env: Environment): string =>
  env["QWEN_HOME"] || join(env["HOME"] || homedir(), ".qwen");

/** The settings of the user and of the project, which win. */
export const readSettings = (root: string, env: Environment): Json =>
  Object.assign(
    {},
    ...[join(homeOf(env), "settings.json"), join(root, PROJECT_SETTINGS)]
      .map(readJson)
      .filter(isObject),
  ) as Json;

/** What is in force: the environment decides before the settings. */
export function readCap(root: string, env: Environment): number {
  const given = env["QWEN_CODE_STOP_HOOK_BLOCK_CAP"];
  const cap = given ? Number(given) : readSettings(root, env)[CAP.setting];
  const isValid = typeof cap === "number" && Number.isFinite(cap) && cap >= 1;
  return isValid ? Math.min(Math.floor(cap), CAP.most) : CAP.usual;
}

interface Extension {
  /** Where it is loaded from. */
  readonly folder: string;
  readonly version: string | undefined;
  readonly isOn: boolean;
}

/** Our extension, if the client has it. */
export function readExtension(env: Environment): Extension | undefined {
  const place = join(homeOf(env), "extensions", EXTENSION);
  const installed = readJson(join(place, ".qwen-extension-install.json"));
  const type = isObject(installed) ? text(installed["type"]) : undefined;
  if (!isObject(installed) || type === undefined) return undefined;
  const folder = type === "link" ? (text(installed["source"]) ?? place) : place;
  const manifest = readJson(join(folder, "qwen-extension.json"));
  const rules = objectAt(
    readJson(join(homeOf(env), "extensions", "extension-enablement.json")),
    EXTENSION,
  )["overrides"];
  return {
    folder,
    version: isObject(manifest) ? text(manifest["version"]) : undefined,
    isOn: !list(rules).some((rule) => text(rule)?.startsWith("!")),
  };
}

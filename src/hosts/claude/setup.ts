import { isObject } from "../../text/schema.ts";
import type { HostSetup } from "../setup.ts";
import {
  configFolder,
  LOCAL_SETTINGS,
  objectAt,
  readJson,
  readMerged,
  settingsFiles,
} from "./client-settings.ts";

type Json = Readonly<Record<string, unknown>>;

/** The client then edits files in the project without asking, and asks about commands that are not on its list. */
const MODE = "acceptEdits";

/**
 * An interactive client of 2.1.325 runs every sub-agent in the background while this is on, whatever the call says, and
 * then the coordinator is called twice for each task.
 */
const FORK = "CLAUDE_CODE_FORK_SUBAGENT";

export const setup: HostSetup = {
  file: LOCAL_SETTINGS,

  plan(old, { root, env: environment, commands }) {
    const files = settingsFiles(root, configFolder(environment));
    const known = new Set(
      files.flatMap((file) => objectAt(readJson(file), "permissions")["allow"]),
    );
    const settings = old === undefined || old.trim() === "" ? {} : parse(old);
    const permissions = settings === undefined ? undefined : objectIn(settings, "permissions");
    const env = settings === undefined ? undefined : objectIn(settings, "env");
    const allow = permissions?.["allow"] ?? [];
    if (!settings || !permissions || !env || !Array.isArray(allow)) return undefined;
    const missing = commands
      .map((command) => `Bash(${command}:*)`)
      .filter((rule) => !known.has(rule));
    const needsMode = readMerged(files, "permissions")["defaultMode"] === undefined;
    const needsFork = readMerged(files, "env")[FORK] === undefined;
    const added = [
      ...(needsMode ? [`permissions.defaultMode: ${MODE}`] : []),
      ...missing.map((rule) => `permissions.allow: ${rule}`),
      ...(needsFork ? [`env.${FORK}: 0`] : []),
    ];
    if (added.length === 0) return { added };
    const value = {
      ...settings,
      permissions: {
        ...permissions,
        ...(needsMode ? { defaultMode: MODE } : {}),
        ...(missing.length > 0 ? { allow: [...allow, ...missing] } : {}),
      },
      ...(needsFork ? { env: { ...env, [FORK]: "0" } } : {}),
    };
    return { added, text: `${JSON.stringify(value, null, 2)}\n` };
  },
};

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Empty if it is missing; undefined if it is something else. */
function objectIn(value: Json, key: string): Json | undefined {
  const inner = value[key] ?? {};
  return isObject(inner) ? inner : undefined;
}

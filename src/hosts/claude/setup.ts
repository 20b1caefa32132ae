import { isObject } from "../../text/schema.ts";
import type { Addition, HostSetup } from "../setup.ts";
import { planExact } from "./allow-rules.ts";
import {
  configFolder,
  LOCAL_SETTINGS,
  objectAt,
  readJson,
  readMerged,
  settingsFiles,
} from "./client-settings.ts";
import { isClaudeOlder } from "./doctor.ts";

type Json = Readonly<Record<string, unknown>>;

/** The client then edits files in the project without asking, and asks about commands that are not on its list. */
const MODE = "acceptEdits";

/** From here on the client's own default may be `auto`, which asks less than `acceptEdits` does. */
const FIRST_WITH_AUTO = "2.1.200";

/**
 * An interactive client of 2.1.325 runs every sub-agent in the background while this is on, whatever the call says, and
 * then the coordinator is called twice for each task.
 */
const FORK = "CLAUDE_CODE_FORK_SUBAGENT";

export const setup: HostSetup = {
  client: "claude",
  title: "Claude Code",
  file: LOCAL_SETTINGS,

  plan(old, { root, env: environment, commands, verify, tasksFile, acceptsEdits }) {
    const files = settingsFiles(root, configFolder(environment));
    const known = files.flatMap((file) => objectAt(readJson(file), "permissions")["allow"]);
    const settings = old === undefined || old.trim() === "" ? {} : parse(old);
    const permissions = settings === undefined ? undefined : objectIn(settings, "permissions");
    const env = settings === undefined ? undefined : objectIn(settings, "env");
    const allow = permissions?.["allow"] ?? [];
    if (!settings || !permissions || !env || !Array.isArray(allow)) return undefined;
    const usual = commands
      .map((command) => `Bash(${command}:*)`)
      .filter((rule) => !known.includes(rule));
    const { rules, uncovered } = planExact(verify, [...known, ...usual]);
    const hasMode = readMerged(files, "permissions")["defaultMode"] !== undefined;
    const needsMode = !hasMode && (acceptsEdits || isClaudeOlder(environment, FIRST_WITH_AUTO));
    const needsFork = readMerged(files, "env")[FORK] === undefined;
    const added: Addition[] = [
      ...(needsMode ? [{ what: `permissions.defaultMode: ${MODE}` }] : []),
      ...usual.map((rule) => ({ what: `permissions.allow: ${rule}` })),
      ...rules.map((rule) => ({
        what: `permissions.allow: ${rule}`,
        why: `a Verify in ${tasksFile}`,
      })),
      ...(needsFork ? [{ what: `env.${FORK}: 0`, why: WHY_FORK }] : []),
    ];
    const proviso = hasMode || needsMode ? {} : { proviso: PROVISO };
    if (added.length === 0) return { added, uncovered, ...proviso };
    const missing = [...usual, ...rules];
    const inner = {
      ...permissions,
      ...(needsMode ? { defaultMode: MODE } : {}),
      ...(missing.length > 0 ? { allow: [...allow, ...missing] } : {}),
    };
    const value = {
      ...settings,
      ...(needsMode || missing.length > 0 ? { permissions: inner } : {}),
      ...(needsFork ? { env: { ...env, [FORK]: "0" } } : {}),
    };
    return { added, uncovered, ...proviso, text: `${JSON.stringify(value, null, 2)}\n` };
  },
};

const WHY_FORK = "agents run in the foreground, which takes fewer model calls for each task";
const PROVISO = "if its permission mode is auto, the default of newer clients, or acceptEdits";

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

import { homedir } from "node:os";
import { join } from "node:path";
import { type Fields, parseFields } from "../../agents/json.ts";
import { isOlder, versionIn } from "../../agents/process/probe.ts";
import { isAllowed } from "../../run/allowed-commands.ts";
import { formatRaw, isObject } from "../../text/schema.ts";
import type { Environment } from "../host.ts";
import { objectAt, readJson, readMerged } from "../settings-file.ts";
import { type Addition, type HostPermissions, readVersion } from "../setup.ts";

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

/** The client then edits files in the project without asking, and asks about commands that are not on its list. */
const MODE = "acceptEdits";

/** From here on the client's own default may be `auto`, which asks less than `acceptEdits` does. */
const FIRST_WITH_AUTO = "2.1.200";

/**
 * An interactive client of 2.1.325 runs every sub-agent in the background while this is on, whatever the call says, and
 * then the coordinator is called twice for each task.
 */
const FORK = "CLAUDE_CODE_FORK_SUBAGENT";

export const permissions: HostPermissions = {
  client: "claude",
  title: "Claude Code",
  file: LOCAL_SETTINGS,

  plan(old, { root, env: environment, commands, verify, tasksFile, acceptsEdits }) {
    const files = settingsFiles(root, configFolder(environment));
    const known = files.flatMap((file) => objectAt(readJson(file), "permissions")["allow"]);
    const settings = old === undefined || old.trim() === "" ? {} : parseFields(old);
    const given = settings === undefined ? undefined : objectIn(settings, "permissions");
    const env = settings === undefined ? undefined : objectIn(settings, "env");
    const allow = given?.["allow"] ?? [];
    if (!settings || !given || !env || !Array.isArray(allow)) return undefined;
    const usual = commands
      .map((command) => `Bash(${command}:*)`)
      .filter((rule) => !known.includes(rule));
    const { rules, uncovered } = planExact(verify, [...known, ...usual]);
    const hasMode = readMerged(files, "permissions")["defaultMode"] !== undefined;
    const needsMode = !hasMode && (acceptsEdits || isBefore(environment, FIRST_WITH_AUTO));
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
      ...given,
      ...(needsMode ? { defaultMode: MODE } : {}),
      ...(missing.length > 0 ? { allow: [...allow, ...missing] } : {}),
    };
    const value = {
      ...settings,
      ...(needsMode || missing.length > 0 ? { permissions: inner } : {}),
      ...(needsFork ? { env: { ...env, [FORK]: "0" } } : {}),
    };
    return { added, uncovered, ...proviso, text: formatRaw(value) };
  },
};

const WHY_FORK = "agents run in the foreground, which takes fewer model calls for each task";
const PROVISO = "if its permission mode is auto, the default of newer clients, or acceptEdits";

/** False if the client's version is not known. */
function isBefore(env: Environment, than: string): boolean {
  const version = versionIn(readVersion("claude", env) ?? "");
  return version !== undefined && isOlder(version, than);
}

/** Empty if it is missing; undefined if it is something else. */
function objectIn(value: Fields, key: string): Fields | undefined {
  const inner = value[key] ?? {};
  return isObject(inner) ? inner : undefined;
}

/** More would be a list that nobody reads before saying yes to it. */
const MAX_RULES = 40;
const MAX_LENGTH = 200;

/** What a rule reads as a pattern or an escape, or what does not fit on the line that shows it. */
const NOT_EXACT = /[*\\\p{C}]/u;

/** The rules that allow these commands and nothing else; a command that no such rule can name is `uncovered`. */
export function planExact(
  commands: readonly string[],
  known: readonly unknown[],
): { rules: readonly string[]; uncovered: readonly string[] } {
  const asked = [...new Set(commands)].filter(
    (command) => !known.some((rule) => typeof rule === "string" && covers(rule, command)),
  );
  const exact = asked
    .filter((command) => command.length <= MAX_LENGTH && !NOT_EXACT.test(command))
    .slice(0, MAX_RULES);
  return {
    rules: exact.map((command) => `Bash(${command})`),
    uncovered: asked.filter((command) => !exact.includes(command)),
  };
}

/** Whether the client runs a command unasked because of a rule, as far as that is certain. */
function covers(rule: string, command: string): boolean {
  if (rule === "Bash" || rule === "Bash(*)") return true;
  const said = /^Bash\((.*)\)$/s.exec(rule)?.[1];
  const start = said === undefined ? undefined : /^(.+?)(?::| )\*$/s.exec(said)?.[1];
  return start === undefined ? said === command : isAllowed(command, [start]);
}

import { homedir } from "node:os";
import { join } from "node:path";
import { type Fields, fieldsOf } from "../../agents/json.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { EXTENSION, readExtension } from "../extension.ts";
import type { Environment } from "../host.ts";
import { readJson, settingStep } from "../settings-file.ts";
import { type HostSetup, type InstallStep, type InstallWish, runStep, setUp } from "../setup.ts";
import { qwen } from "./host.ts";

/** The project's own settings. The client has no file that is for one project and one user. */
const PROJECT_SETTINGS = ".qwen/settings.json";

/** How many blocks of a stop hook the client obeys in one prompt: one less than this, and never more than 99. */
const CAP = { setting: "stopHookBlockingCap", usual: 8, most: 100 } as const;

/** Linked, not copied: the extension is always as new as the program that installed it. */
export const setup: HostSetup = {
  ...qwen,
  oldest: "0.24.4",
  update: "qwen update",
  // Only for those who use us there.
  checkOthers: (root, env) =>
    readOurs(env) === undefined ? [] : [...checkHooks(root, env), checkCap(root, env)],
  checkPlugin: (plugin, _root, env) => checkExtension(plugin, env),
  steps: (wish) => [...linkSteps(wish), ...settingsSteps(wish)],
  afterwards: (plugin) => [
    `restart qwen, and type /${plugin}:help`,
    "a run that nobody watches needs qwen --approval-mode yolo, or auto-edit and the commands that it may run (permissions.allow)",
  ],
};

const homeOf = (env: Environment): string =>
  env["QWEN_HOME"] || join(env["HOME"] || homedir(), ".qwen");

const readOurs = (env: Environment) => readExtension("qwen", homeOf(env));

/** The settings of the user and of the project, which win. */
const readSettings = (root: string, env: Environment): Fields => ({
  ...fieldsOf(readJson(join(homeOf(env), "settings.json"))),
  ...fieldsOf(readJson(join(root, PROJECT_SETTINGS))),
});

function linkSteps({ package: folder, env }: InstallWish): InstallStep[] {
  const known = readOurs(env)?.folder;
  if (known === folder) return [];
  return [
    ...(known === undefined ? [] : [run(["uninstall", EXTENSION], `it was in ${known}`)]),
    { ...run(["link", folder], "for all your projects"), input: "y\n" },
  ];
}

const run = (words: readonly string[], why: string) =>
  runStep(["qwen", "extensions", ...words], why);

/** What the user has set stays, whatever it is. */
function settingsSteps({ root, env }: InstallWish): InstallStep[] {
  if (CAP.setting in readSettings(root, env)) return [];
  const setting = { key: CAP.setting, value: CAP.most };
  const why = `${CAP.setting} ${CAP.most}: qwen otherwise ends a prompt at the ${CAP.usual}th time that a hook continues it; a run has bounds of its own`;
  return [settingStep(root, PROJECT_SETTINGS, setting, why)];
}

/** Without hooks nothing of ours ever runs. */
function checkHooks(root: string, env: Environment): Diagnostic[] {
  if (readSettings(root, env)["disableAllHooks"] !== true) return [];
  const { warning } = findingsAbout("qwen-hooks");
  return [
    warning(
      "qwen's hooks are off (disableAllHooks)",
      "remove disableAllHooks from qwen's settings",
    ),
  ];
}

/** What is in force: the environment decides before the settings. */
function readCap(root: string, env: Environment): number {
  const given = env["QWEN_CODE_STOP_HOOK_BLOCK_CAP"];
  const cap = given ? Number(given) : readSettings(root, env)[CAP.setting];
  const isValid = typeof cap === "number" && Number.isFinite(cap) && cap >= 1;
  return isValid ? Math.min(Math.floor(cap), CAP.most) : CAP.usual;
}

function checkCap(root: string, env: Environment): Diagnostic {
  const { ok, info } = findingsAbout("qwen-stops");
  const cap = readCap(root, env);
  const message = `qwen lets hooks continue a prompt ${cap - 1} times (${CAP.setting} ${cap})`;
  return cap >= CAP.most
    ? ok(message)
    : info(`${message}; enough if the agent reports its tasks as it is told to`, setUp("qwen"));
}

function checkExtension(plugin: string, env: Environment): Diagnostic {
  const { ok, info, warning } = findingsAbout("qwen-plugin");
  const found = readOurs(env);
  if (found === undefined) return info(`${plugin} is not installed in qwen`, setUp("qwen"));
  if (found.version === undefined)
    return warning(
      `qwen's extension ${EXTENSION} is to be in ${found.folder}, and is not there`,
      setUp("qwen"),
    );
  return found.rules.some((rule) => rule.startsWith("!"))
    ? warning(
        `qwen's extension ${EXTENSION} is disabled, at least in some folders`,
        `qwen extensions enable ${EXTENSION}`,
      )
    : ok(`qwen's extension ${EXTENSION} ${found.version} is enabled`);
}

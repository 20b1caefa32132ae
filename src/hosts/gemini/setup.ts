import { homedir } from "node:os";
import { join } from "node:path";
import { type Fields, valuesOf } from "../../agents/json.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { EXTENSION, isOurHook, readExtension } from "../extension.ts";
import type { Environment } from "../host.ts";
import { readMerged, settingStep } from "../settings-file.ts";
import { type HostSetup, type InstallStep, type InstallWish, runStep, setUp } from "../setup.ts";
import { gemini } from "./host.ts";

/** A project's settings of the client, relative to its root. It has no file for one user alone. */
const PROJECT_SETTINGS = ".gemini/settings.json";

/** Ends a run of many turns in silence, unless it is off: see `checkLoops`. */
const LOOP_DETECTION = "disableLoopDetection";

const homeOf = (env: Environment): string =>
  join(env["GEMINI_CLI_HOME"] || env["HOME"] || homedir(), ".gemini");

/** Linked, not copied: the extension is always as new as the program that installed it. */
export const setup = {
  ...gemini,
  oldest: "0.61.0",
  update: "npm install -g @google/gemini-cli@latest",
  // Only for those who use us there.
  checkOthers: (root, env) =>
    readOurs(env) === undefined
      ? []
      : [checkHooks, checkOwn, checkTurns, checkLoops].flatMap((check) => check(root, env)),
  checkPlugin: checkExtension,
  steps: (wish) => [
    ...(readOurs(wish.env) === undefined
      ? []
      : [run(["uninstall", EXTENSION], "it may have been somewhere else")]),
    run(["link", wish.package, "--consent"], "for all your projects"),
    ...settingsSteps(wish),
  ],
  afterwards: (plugin) => [
    `restart gemini, and type /${plugin}:help`,
    "a run that nobody watches needs gemini --approval-mode auto_edit and commands that it may run (tools.allowed), or --yolo",
  ],
} satisfies HostSetup;

/** One part of the settings that count in a project. */
const readPart = (root: string, env: Environment, key: string): Fields =>
  readMerged([join(homeOf(env), "settings.json"), join(root, PROJECT_SETTINGS)], key);

const readOurs = (env: Environment) => readExtension("gemini", homeOf(env));

const run = (words: readonly string[], why: string): InstallStep =>
  runStep(["gemini", "extensions", ...words], why);

/** What the user has set stays, whatever it is. */
function settingsSteps({ root, env }: InstallWish): InstallStep[] {
  if (LOOP_DETECTION in readPart(root, env, "model")) return [];
  const setting = { key: LOOP_DETECTION, value: true, inside: "model" };
  const why = `model.${LOOP_DETECTION}: gemini's own check takes a long run for a loop`;
  return [settingStep(root, PROJECT_SETTINGS, setting, why)];
}

/** Without hooks nothing of ours ever runs. */
function checkHooks(root: string, env: Environment): Diagnostic[] {
  const { warning } = findingsAbout("gemini-hooks");
  const { enabled, disabled } = readPart(root, env, "hooksConfig");
  if (enabled === false)
    return [warning("gemini's hooks are off (hooksConfig.enabled)", "/hooks enable-all in gemini")];
  const off = valuesOf(disabled).find(isOurHook);
  return off === undefined
    ? []
    : [warning(`gemini's hook "${off}" is off`, `/hooks enable "${off}"`)];
}

/** The client joins what several hooks say. */
function checkOwn(root: string, env: Environment): Diagnostic[] {
  if (valuesOf(readPart(root, env, "hooks")["AfterAgent"]).length === 0) return [];
  const { info } = findingsAbout("own-stop-hook");
  return [info("gemini's settings also have an AfterAgent hook; fine, unless it blocks")];
}

function checkTurns(root: string, env: Environment): Diagnostic[] {
  const most = readPart(root, env, "model")["maxSessionTurns"];
  if (typeof most !== "number" || most <= 0) return [];
  return [
    findingsAbout("gemini-turns").warning(
      `gemini ends a session after ${most} turns (model.maxSessionTurns), which a run takes soon`,
      "remove it from gemini's settings; a run has bounds of its own",
    ),
  ];
}

/** It counts the turns of a whole run as those of one prompt, and when it ends a turn, no hook is told. */
function checkLoops(root: string, env: Environment): Diagnostic {
  const { ok, warning } = findingsAbout("gemini-loops");
  return readPart(root, env, "model")[LOOP_DETECTION] === true
    ? ok("gemini's own loop check is off")
    : warning(
        "gemini's own loop check may end a long run, and nobody would be told",
        `${SHELL_PROGRAM} init --client gemini, or model.${LOOP_DETECTION}: true in ${PROJECT_SETTINGS}`,
      );
}

function checkExtension(plugin: string, root: string, env: Environment): Diagnostic {
  const { ok, info, warning } = findingsAbout("plugin");
  const found = readOurs(env);
  if (found?.version === undefined)
    return info(`${plugin} is not installed in gemini`, setUp("gemini"));
  return isOn(found.rules, root)
    ? ok(`gemini's extension ${EXTENSION} ${found.version} is installed and enabled`)
    : warning(
        `gemini's extension ${EXTENSION} is installed, but disabled here`,
        `gemini extensions enable ${EXTENSION}`,
      );
}

/** The last rule that fits counts. */
function isOn(rules: readonly string[], root: string): boolean {
  const last = rules.findLast((rule) =>
    `${root}/`.startsWith(rule.replace(/^!/, "").replace(/\*$/, "")),
  );
  return last === undefined || !last.startsWith("!");
}

import type { Diagnostic } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { HostChecks } from "../checks.ts";
import { checkVersion, type ClientProgram, readVersion } from "../client-version.ts";
import type { Environment } from "../host.ts";
import { list } from "../json.ts";
import { LOOP_DETECTION, PROJECT_SETTINGS, readExtension, readPart } from "./client-settings.ts";
import { EXTENSION, isHook } from "./names.ts";

export const GEMINI: ClientProgram = {
  name: "gemini",
  oldest: "0.61.0",
  install: "npm install -g @google/gemini-cli",
  update: "npm install -g @google/gemini-cli@latest",
};

export const checks = {
  name: GEMINI.name,
  checkClient: (env) => checkVersion(GEMINI, readVersion(GEMINI.name, env)),
  // Only for those who use us there.
  checkOthers: (root, env) =>
    readExtension(EXTENSION, root, env) === undefined
      ? []
      : [checkHooks, checkOwn, checkTurns, checkLoops].flatMap((check) => check(root, env)),
  checkPlugin: (plugin, root, env) => checkExtension(plugin, root, env),
} satisfies HostChecks;

/** Without hooks nothing of ours ever runs. */
function checkHooks(root: string, env: Environment): Diagnostic[] {
  const { enabled, disabled } = readPart(root, env, "hooksConfig");
  const off = list(disabled).find(isHook);
  if (enabled !== false && off === undefined) return [];
  const message =
    enabled === false
      ? "gemini's hooks are off (hooksConfig.enabled)"
      : `gemini's hook "${String(off)}" is off`;
  const fix = enabled === false ? "/hooks enable-all in gemini" : `/hooks enable "${String(off)}"`;
  return [{ severity: "warning", code: "gemini-hooks", message, fix }];
}

/** The client joins what several hooks say. */
function checkOwn(root: string, env: Environment): Diagnostic[] {
  if (list(readPart(root, env, "hooks")["AfterAgent"]).length === 0) return [];
  const message = "gemini's settings also have an AfterAgent hook; fine, unless it blocks";
  return [{ severity: "info", code: "own-stop-hook", message }];
}

function checkTurns(root: string, env: Environment): Diagnostic[] {
  const most = readPart(root, env, "model")["maxSessionTurns"];
  if (typeof most !== "number" || most <= 0) return [];
  return [
    {
      severity: "warning",
      code: "gemini-turns",
      message: `gemini ends a session after ${most} turns (model.maxSessionTurns), which a run takes soon`,
      fix: "remove it from gemini's settings; a run has bounds of its own",
    },
  ];
}

/** It counts the turns of a whole run as those of one prompt, and when it ends a turn, no hook is told. */
function checkLoops(root: string, env: Environment): Diagnostic[] {
  if (readPart(root, env, "model")[LOOP_DETECTION] === true)
    return [{ severity: "ok", code: "gemini-loops", message: "gemini's own loop check is off" }];
  return [
    {
      severity: "warning",
      code: "gemini-loops",
      message: "gemini's own loop check may end a long run, and nobody would be told",
      fix: `${SHELL_PROGRAM} init --client gemini, or model.${LOOP_DETECTION}: true in ${PROJECT_SETTINGS}`,
    },
  ];
}

function checkExtension(plugin: string, root: string, env: Environment): Diagnostic {
  const found = readExtension(EXTENSION, root, env);
  if (found === undefined)
    return {
      severity: "info",
      code: "plugin",
      message: `${plugin} is not installed in gemini`,
      fix: `${SHELL_PROGRAM} init --client gemini`,
    };
  if (!found.isEnabled)
    return {
      severity: "warning",
      code: "plugin",
      message: `gemini's extension ${EXTENSION} is installed, but disabled here`,
      fix: `gemini extensions enable ${EXTENSION}`,
    };
  return {
    severity: "ok",
    code: "plugin",
    message: `gemini's extension ${EXTENSION} ${found.version ?? ""} is installed and enabled`,
  };
}

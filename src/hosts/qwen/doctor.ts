import type { Diagnostic } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { HostChecks } from "../checks.ts";
import { checkVersion, type ClientProgram, readVersion } from "../client-version.ts";
import type { Environment } from "../host.ts";
import { CAP, EXTENSION, readCap, readExtension, readSettings } from "./client-settings.ts";

const QWEN: ClientProgram = {
  name: "qwen",
  oldest: "0.24.4",
  install: "npm install -g @qwen-code/qwen-code",
  update: "qwen update",
};

const SET_UP = `${SHELL_PROGRAM} init --client qwen --yes`;

export const checks = {
  name: QWEN.name,
  checkClient: (env) => checkVersion(QWEN, readVersion(QWEN.name, env)),
  // Only for those who use us there.
  checkOthers: (root, env) =>
    readExtension(env) === undefined ? [] : [...checkHooks(root, env), checkCap(root, env)],
  checkPlugin: (plugin, _root, env) => checkExtension(plugin, env),
} satisfies HostChecks;

/** Without hooks nothing of ours ever runs. */
function checkHooks(root: string, env: Environment): Diagnostic[] {
  if (readSettings(root, env)["disableAllHooks"] !== true) return [];
  return [
    {
      severity: "warning",
      code: "qwen-hooks",
      message: "qwen's hooks are off (disableAllHooks)",
      fix: "remove disableAllHooks from qwen's settings",
    },
  ];
}

function checkCap(root: string, env: Environment): Diagnostic {
  const cap = readCap(root, env);
  const message = `qwen lets hooks continue a prompt ${cap - 1} times (${CAP.setting} ${cap})`;
  return cap >= CAP.most
    ? { severity: "ok", code: "qwen-stops", message }
    : {
        severity: "info",
        code: "qwen-stops",
        message: `${message}; enough if the agent reports its tasks as it is told to`,
        fix: SET_UP,
      };
}

function checkExtension(plugin: string, env: Environment): Diagnostic {
  const found = readExtension(env);
  const code = "qwen-plugin";
  if (found === undefined)
    return {
      severity: "info",
      code,
      message: `${plugin} is not installed in qwen`,
      fix: SET_UP,
    };
  if (found.version === undefined)
    return {
      severity: "warning",
      code,
      message: `qwen's extension ${EXTENSION} is to be in ${found.folder}, and is not there`,
      fix: SET_UP,
    };
  return found.isOn
    ? { severity: "ok", code, message: `qwen's extension ${EXTENSION} ${found.version} is enabled` }
    : {
        severity: "warning",
        code,
        message: `qwen's extension ${EXTENSION} is disabled, at least in some folders`,
        fix: `qwen extensions enable ${EXTENSION}`,
      };
}

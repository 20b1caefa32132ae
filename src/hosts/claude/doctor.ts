import type { Diagnostic } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { HostChecks } from "../checks.ts";
import {
  checkVersion,
  type ClientProgram,
  isOlder,
  readVersion,
  versionIn,
} from "../client-version.ts";
import type { Environment } from "../host.ts";
import { configFolder, readInstalled, readMerged, settingsFiles } from "./client-settings.ts";
import { checkConflicts } from "./conflicts.ts";

export const CLAUDE: ClientProgram = {
  name: "claude",
  oldest: "2.1.91",
  install: "npm install -g @anthropic-ai/claude-code",
  update: "claude update",
};

/** False if its version is not known. */
export function isClaudeOlder(env: Environment, than: string): boolean {
  const version = versionIn(readVersion(CLAUDE.name, env) ?? "");
  return version !== undefined && isOlder(version, than);
}

/** Whether the client has our plugin, and runs it in this project. Its name may come from any marketplace. */
function checkPlugin(plugin: string, root: string, config: string): Diagnostic {
  const on = readMerged(settingsFiles(root, config), "enabledPlugins");
  const ids = Object.keys(on).filter((id) => id.startsWith(`${plugin}@`));
  const enabled = ids.find((id) => on[id] === true);
  const [off] = ids;
  if (enabled === undefined && off === undefined) {
    return {
      severity: "info",
      code: "plugin",
      message: `${plugin} is not installed in claude; fine, if you start it with --plugin-dir`,
      fix: `${SHELL_PROGRAM} init --client claude --yes`,
    };
  }
  if (enabled === undefined) {
    const message = `${off} is installed, but disabled in claude`;
    return { severity: "warning", code: "plugin", message, fix: `claude plugin enable ${off}` };
  }
  const version = readInstalled(config, enabled)[0]?.["version"];
  return typeof version === "string"
    ? {
        severity: "ok",
        code: "plugin",
        message: `${enabled} ${version} is installed and enabled in claude`,
      }
    : {
        severity: "warning",
        code: "plugin",
        message: `${enabled} is enabled in claude, but not installed`,
        fix: `claude plugin install ${enabled}`,
      };
}

export const checks: HostChecks = {
  name: CLAUDE.name,
  checkClient: (env) => checkVersion(CLAUDE, readVersion(CLAUDE.name, env)),
  checkOthers: (root, env) => checkConflicts(root, configFolder(env)),
  checkPlugin: (plugin, root, env) => checkPlugin(plugin, root, configFolder(env)),
};

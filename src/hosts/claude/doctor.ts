import { spawnSync } from "node:child_process";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { HostChecks } from "../checks.ts";
import type { Environment } from "../host.ts";
import { configFolder, readInstalled, readMerged, settingsFiles } from "./client-settings.ts";
import { checkConflicts } from "./conflicts.ts";

/** The oldest version on which our end-to-end tests pass. */
export const OLDEST_CLAUDE = "2.1.91";

export function checkClaude(printed: string | undefined): Diagnostic {
  if (printed === undefined) {
    return {
      severity: "info",
      code: "claude",
      message: "claude is not on PATH",
      fix: "npm install -g @anthropic-ai/claude-code",
    };
  }
  const version = versionIn(printed);
  if (version === undefined || isOlder(version, OLDEST_CLAUDE)) {
    const message = `claude ${version ?? "of unknown version"} is not tested with these plugins`;
    return {
      severity: "warning",
      code: "claude",
      message,
      fix: `claude update (tested from ${OLDEST_CLAUDE})`,
    };
  }
  return { severity: "ok", code: "claude", message: `claude ${version}` };
}

/** False if its version is not known. */
export function isClaudeOlder(env: Environment, than: string): boolean {
  const version = versionIn(readClaudeVersion(env as NodeJS.ProcessEnv) ?? "");
  return version !== undefined && isOlder(version, than);
}

const versionIn = (printed: string): string | undefined =>
  /(?<!\d)\d+\.\d+\.\d+/.exec(printed)?.[0];

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}

export function readClaudeVersion(env: NodeJS.ProcessEnv): string | undefined {
  const run = spawnSync("claude", ["--version"], {
    // Otherwise the Windows shell would try a file of the project first.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
    encoding: "utf8",
    timeout: 10_000,
    shell: process.platform === "win32",
  });
  return run.status === 0 ? run.stdout : undefined;
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
      message: `${plugin} is not installed in the client; fine, if you start it with --plugin-dir`,
      fix: `claude plugin marketplace add <your clone of smart-ralph>, then claude plugin install ${plugin}@smart-ralph`,
    };
  }
  if (enabled === undefined) {
    const message = `${off} is installed, but disabled`;
    return { severity: "warning", code: "plugin", message, fix: `claude plugin enable ${off}` };
  }
  const version = readInstalled(config, enabled)[0]?.["version"];
  return typeof version === "string"
    ? { severity: "ok", code: "plugin", message: `${enabled} ${version} is installed and enabled` }
    : {
        severity: "warning",
        code: "plugin",
        message: `${enabled} is enabled, but not installed`,
        fix: `claude plugin install ${enabled}`,
      };
}

export const checks: HostChecks = {
  checkClient: (env) => checkClaude(readClaudeVersion(env as NodeJS.ProcessEnv)),
  checkOthers: (root, env) => checkConflicts(root, configFolder(env)),
  checkPlugin: (plugin, root, env) => checkPlugin(plugin, root, configFolder(env)),
};

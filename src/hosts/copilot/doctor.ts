import type { Diagnostic } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { HostChecks } from "../checks.ts";
import { checkVersion, type ClientProgram, readVersion } from "../client-version.ts";
import type { Environment } from "../host.ts";
import { readEnabled } from "./client-settings.ts";

const COPILOT: ClientProgram = {
  name: "copilot",
  oldest: "1.0.102",
  install: "npm install -g @github/copilot",
  update: "copilot update",
};

export const checks = {
  name: COPILOT.name,
  checkClient: (env) => checkVersion(COPILOT, readVersion(COPILOT.name, env)),
  checkOthers: () => [],
  checkPlugin: (plugin, _root, env) => checkPlugin(plugin, env),
} satisfies HostChecks;

/** Its name may come from any marketplace. */
function checkPlugin(plugin: string, env: Environment): Diagnostic {
  const code = "copilot-plugin";
  const on = readEnabled(env);
  const ids = Object.keys(on).filter((id) => id.startsWith(`${plugin}@`));
  const enabled = ids.find((id) => on[id] === true);
  if (enabled !== undefined)
    return { severity: "ok", code, message: `${enabled} is enabled in copilot` };
  const [off] = ids;
  return off === undefined
    ? {
        severity: "info",
        code,
        message: `${plugin} is not installed in copilot`,
        fix: `${SHELL_PROGRAM} init --client copilot --yes`,
      }
    : {
        severity: "warning",
        code,
        message: `${off} is disabled in copilot`,
        fix: `copilot plugin enable ${off}`,
      };
}

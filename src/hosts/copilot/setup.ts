import { homedir } from "node:os";
import { join } from "node:path";
import { textOf } from "../../agents/json.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import type { Environment } from "../host.ts";
import { objectAt, readJson } from "../settings-file.ts";
import { type HostSetup, type InstallStep, type InstallWish, runStep, setUp } from "../setup.ts";
import { copilot } from "./host.ts";

const MARKETPLACE = "smart-ralph";

/** Loaded from where it is, not copied: the plugin is always as new as the program that installed it. */
export const setup = {
  ...copilot,
  oldest: "1.0.102",
  update: "copilot update",
  checkPlugin: (plugin, _root, env) => checkPlugin(plugin, env),
  steps: (wish) => [
    ...marketplaceSteps(wish),
    run(["install", `${wish.plugin}@${MARKETPLACE}`], "for all your projects"),
  ],
  afterwards: (plugin) => [
    `restart copilot, and type /${plugin}:help`,
    "a run that nobody watches needs copilot --allow-all-tools --allow-all-paths",
  ],
} satisfies HostSetup;

const readSettings = (env: Environment): unknown =>
  readJson(
    join(env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot"), "settings.json"),
  );

/** Its name may come from any marketplace. */
function checkPlugin(plugin: string, env: Environment): Diagnostic {
  const { ok, info, warning } = findingsAbout("copilot-plugin");
  const on = objectAt(readSettings(env), "enabledPlugins");
  const ids = Object.keys(on).filter((id) => id.startsWith(`${plugin}@`));
  const enabled = ids.find((id) => on[id] === true);
  if (enabled !== undefined) return ok(`${enabled} is enabled in copilot`);
  const [off] = ids;
  return off === undefined
    ? info(`${plugin} is not installed in copilot`, setUp("copilot"))
    : warning(`${off} is disabled in copilot`, `copilot plugin enable ${off}`);
}

function marketplaceSteps({ package: folder, env }: InstallWish): InstallStep[] {
  const all = objectAt(readSettings(env), "extraKnownMarketplaces");
  const { path, repo, url } = objectAt(all[MARKETPLACE], "source");
  const known = textOf(path) ?? textOf(repo) ?? textOf(url);
  if (known === folder) return [];
  return [
    ...(known === undefined
      ? []
      : [run(["marketplace", "remove", "--force", MARKETPLACE], `it was ${known}`)]),
    run(["marketplace", "add", folder], "the plugins are there"),
  ];
}

const run = (words: readonly string[], why: string) =>
  runStep(["copilot", "plugin", ...words], why);

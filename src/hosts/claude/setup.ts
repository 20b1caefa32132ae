import { join } from "node:path";
import { type Fields, fieldsOf, textOf } from "../../agents/json.ts";
import { layouts } from "../../layouts/all.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { isObject } from "../../text/schema.ts";
import { objectAt, readJson, readMerged } from "../settings-file.ts";
import { type HostSetup, runStep, setUp } from "../setup.ts";
import { claude } from "./host.ts";
import { configFolder, settingsFiles } from "./permissions.ts";

export const setup: HostSetup = {
  ...claude,
  oldest: "2.1.91",
  update: "claude update",
  checkOthers: (root, env) => checkConflicts(root, configFolder(env)),
  checkPlugin: (plugin, root, env) => checkPlugin(plugin, root, configFolder(env)),
  steps: ({ package: folder, plugin }) => [
    runStep(["claude", "plugin", "marketplace", "add", folder], "the plugins are there"),
    runStep(["claude", "plugin", "install", `${plugin}@smart-ralph`], "for all your projects"),
  ],
  afterwards: (plugin) => [`restart claude, if it is running, and type /${plugin}:help`],
};

/** Where the client keeps a plugin: older clients record one place, newer ones a list. */
function readInstalled(config: string, id: string): readonly Fields[] {
  const all = objectAt(readJson(join(config, "plugins", "installed_plugins.json")), "plugins");
  const places: readonly unknown[] = Array.isArray(all[id]) ? all[id] : [all[id]];
  return places.filter(isObject);
}

/** Whether the client has our plugin, and runs it in this project. Its name may come from any marketplace. */
function checkPlugin(plugin: string, root: string, config: string): Diagnostic {
  const { ok, info, warning } = findingsAbout("plugin");
  const on = readMerged(settingsFiles(root, config), "enabledPlugins");
  const ids = Object.keys(on).filter((id) => id.startsWith(`${plugin}@`));
  const enabled = ids.find((id) => on[id] === true);
  const [off] = ids;
  if (off === undefined)
    return info(
      `${plugin} is not installed in claude; fine, if you start it with --plugin-dir`,
      setUp("claude"),
    );
  if (enabled === undefined)
    return warning(`${off} is installed, but disabled in claude`, `claude plugin enable ${off}`);
  const version = textOf(readInstalled(config, enabled)[0]?.["version"]);
  return version === undefined
    ? warning(
        `${enabled} is enabled in claude, but not installed`,
        `claude plugin install ${enabled}`,
      )
    : ok(`${enabled} ${version} is installed and enabled in claude`);
}

/** Plugins known to drive a session from a Stop hook, in case their files cannot be read. */
const KNOWN_LOOPS = /^(?:ralph-wiggum|ralph-loop|ralph)$/;

/** Two stop hooks that both keep the agent going compete: whoever answers last wins. */
function checkConflicts(root: string, config: string): Diagnostic[] {
  const files = settingsFiles(root, config);
  const on = readMerged(files, "enabledPlugins");
  const found = files.flatMap((target) =>
    checkSettings(readJson(target), config, on).map((finding) => ({ ...finding, target })),
  );
  const none = findingsAbout("stop-hooks").ok("in claude, no other plugin has a Stop hook");
  return found.length > 0 ? found : [none];
}

function checkSettings(
  settings: unknown,
  config: string,
  on: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  if (settings === "broken") {
    const { warning } = findingsAbout("settings-unreadable");
    return [
      warning("these settings of claude are not valid JSON", "fix the file; the client ignores it"),
    ];
  }
  const here = objectAt(settings, "enabledPlugins");
  const competing = Object.keys(here).filter(
    (id) =>
      here[id] === true &&
      on[id] === true &&
      !isOurs(id) &&
      (KNOWN_LOOPS.test(nameOf(id)) || hasStopHook(id, config)),
  );
  const own = objectAt(settings, "hooks")["Stop"];
  const { warning } = findingsAbout("competing-plugin");
  const { info } = findingsAbout("own-stop-hook");
  return [
    ...competing.map((id) =>
      warning(
        `plugin ${id} has a Stop hook too, and two stop hooks compete`,
        `claude plugin disable ${id}`,
      ),
    ),
    ...(Array.isArray(own) && own.length > 0
      ? [info("these settings also have a Stop hook; fine, unless it blocks")]
      : []),
  ];
}

function hasStopHook(id: string, config: string): boolean {
  return readInstalled(config, id).some(({ installPath: folder }) => {
    if (typeof folder !== "string") return false;
    const manifest = readJson(join(folder, ".claude-plugin", "plugin.json"));
    const file = textOf(fieldsOf(manifest)["hooks"]) ?? "hooks/hooks.json";
    // The manifest may name a file with hooks, or contain them.
    const declared = [readJson(join(folder, file)), manifest];
    return declared.some((hooks) => objectAt(hooks, "hooks")["Stop"] !== undefined);
  });
}

const nameOf = (id: string): string => id.split("@", 1)[0] as string;
const isOurs = (id: string): boolean => layouts.some(({ plugin }) => plugin === nameOf(id));

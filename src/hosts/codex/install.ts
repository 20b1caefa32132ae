import { homedir } from "node:os";
import { join } from "node:path";
import { readText } from "../../store/read.ts";
import type { Environment } from "../host.ts";
import type { HostInstall } from "../setup.ts";
import { RULES_FILE, sandboxRules } from "./sandbox-rules.ts";

/** Where the client keeps its settings and plugins. */
export const codexHome = (env: Environment): string =>
  env["CODEX_HOME"] || join(env["HOME"] ?? homedir(), ".codex");

/** The client copies a plugin into a folder with its version. */
function programIn(env: Environment, folder: string, plugin: string): string {
  const manifest = readText(
    join(folder, "plugins", plugin, ".codex-plugin", "plugin.json"),
    1 << 16,
  );
  const version = manifest.kind === "ok" ? /"version": "([^"]+)"/.exec(manifest.text)?.[1] : "";
  const cache = join(codexHome(env), "plugins", "cache", "smart-ralph");
  return join(cache, plugin, version ?? "", "bin", plugin);
}

export const install: HostInstall = {
  name: "codex",
  steps: ({ package: folder, plugin, env }) => [
    {
      kind: "run",
      command: ["codex", "plugin", "marketplace", "add", folder],
      why: "the plugins are there",
    },
    {
      kind: "run",
      command: ["codex", "plugin", "add", `${plugin}@smart-ralph`],
      why: "for all your projects; it copies the plugin, so run this again after an update",
    },
    {
      kind: "file",
      path: RULES_FILE,
      text: sandboxRules(programIn(env, folder, plugin)),
      why: "agents may commit, which the sandbox prevents otherwise",
      isLocal: true,
    },
  ],
  afterwards: [
    "start codex in this project, and when it says that hooks need review, choose to trust them: until then it runs none of them; after each update it asks again",
  ],
  first: (plugin) =>
    `type $${plugin}:help; where our program says /${plugin}:…, type $${plugin}:… in Codex`,
};

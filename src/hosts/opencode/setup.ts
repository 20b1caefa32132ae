import { homedir } from "node:os";
import { join } from "node:path";
import { fieldsOf, textOf } from "../../agents/json.ts";
import { readText } from "../../store/read.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import type { Environment } from "../host.ts";
import { readJson } from "../settings-file.ts";
import { type HostSetup, runStep, setUp } from "../setup.ts";
import { opencode } from "./host.ts";

/** Below a plugin's folder: what the client is given. It is loaded in place, with our programs next to it. */
export const FOLDER = "opencode";

export const setup = {
  ...opencode,
  oldest: "1.18.33",
  update: "opencode upgrade",
  checkPlugin,
  steps: ({ package: folder, plugin }) => [
    runStep(
      ["opencode", "plugin", join(folder, "plugins", plugin, FOLDER), "--global"],
      "for all your projects; it is loaded from there, so updating that folder is enough",
    ),
  ],
  afterwards: (plugin) => [
    `restart OpenCode, which loads plugins when it starts, and type /${plugin}:help`,
  ],
} satisfies HostSetup;

const MAX_BYTES = 4 << 20;

/** Every file in which the client may name plugins. */
function settingsFiles(root: string, env: Environment): string[] {
  const own = join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "opencode");
  const folders = [own, env["OPENCODE_CONFIG_DIR"], root, join(root, ".opencode")];
  return folders.flatMap((folder) =>
    folder ? ["opencode.json", "opencode.jsonc"].map((name) => join(folder, name)) : [],
  );
}

/** The folders of a plugin of ours that settings name. They are JSON with comments. */
export function foldersIn(settings: string, plugin: string): string[] {
  const named = new RegExp(`"(?:file://)?([^"]*[/\\\\]${plugin}[/\\\\]+${FOLDER})[/\\\\]*"`, "g");
  const lines = settings.split("\n").filter((line) => !line.trimStart().startsWith("//"));
  return lines.flatMap((line) =>
    [...line.matchAll(named)].map(([, path = ""]) => path.replaceAll("\\\\", "\\")),
  );
}

function checkPlugin(plugin: string, root: string, env: Environment): Diagnostic {
  const { ok, info, warning } = findingsAbout("plugin");
  const found = settingsFiles(root, env).flatMap((file) => {
    const read = readText(file, MAX_BYTES);
    return read.kind === "ok" ? foldersIn(read.text, plugin) : [];
  });
  const [folder, other] = [...new Set(found)];
  if (folder === undefined)
    return info(`${plugin} is not installed in opencode`, setUp("opencode"));
  if (other !== undefined)
    return warning(
      `opencode loads ${plugin} twice, from ${folder} and ${other}`,
      "remove one of them from its settings",
    );
  const version = textOf(fieldsOf(readJson(join(folder, "package.json")))["version"]);
  if (version === undefined)
    return warning(
      `opencode is told to load ${plugin} from ${folder}, which is not there`,
      setUp("opencode"),
    );
  return (env["OPENCODE_PURE"] ?? "") === ""
    ? ok(`${plugin} ${version} is installed in opencode, from ${folder}`)
    : warning("opencode loads no plugins while OPENCODE_PURE is set", "unset OPENCODE_PURE");
}

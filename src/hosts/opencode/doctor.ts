import { homedir } from "node:os";
import { join } from "node:path";
import { readText } from "../../store/read.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { HostChecks } from "../checks.ts";
import { checkVersion, type ClientProgram, readVersion } from "../client-version.ts";
import type { Environment } from "../host.ts";
import { FOLDER } from "./install.ts";

const OPENCODE: ClientProgram = {
  name: "opencode",
  oldest: "1.18.33",
  install: "npm install -g opencode-ai",
  update: "opencode upgrade",
};

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
  const fix = "smart-ralph init --client opencode --yes";
  const found = settingsFiles(root, env).flatMap((file) => {
    const read = readText(file, MAX_BYTES);
    return read.kind === "ok" ? foldersIn(read.text, plugin) : [];
  });
  const [folder, other] = [...new Set(found)];
  if (folder === undefined) {
    const message = `${plugin} is not installed in opencode`;
    return { severity: "info", code: "plugin", message, fix };
  }
  if (other !== undefined) {
    const message = `opencode loads ${plugin} twice, from ${folder} and ${other}`;
    return {
      severity: "warning",
      code: "plugin",
      message,
      fix: "remove one of them from its settings",
    };
  }
  const manifest = readText(join(folder, "package.json"), MAX_BYTES);
  const version = manifest.kind === "ok" ? versionOf(manifest.text) : undefined;
  if (version === undefined) {
    const message = `opencode is told to load ${plugin} from ${folder}, which is not there`;
    return { severity: "warning", code: "plugin", message, fix };
  }
  if ((env["OPENCODE_PURE"] ?? "") !== "") {
    const message = "opencode loads no plugins while OPENCODE_PURE is set";
    return { severity: "warning", code: "plugin", message, fix: "unset OPENCODE_PURE" };
  }
  const message = `${plugin} ${version} is installed in opencode, from ${folder}`;
  return { severity: "ok", code: "plugin", message };
}

function versionOf(manifest: string): string | undefined {
  try {
    const { version } = JSON.parse(manifest) as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

export const checks = {
  name: OPENCODE.name,
  checkClient: (env) => checkVersion(OPENCODE, readVersion(OPENCODE.name, env)),
  checkOthers: () => [],
  checkPlugin,
} satisfies HostChecks;

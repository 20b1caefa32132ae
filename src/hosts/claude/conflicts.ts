import { join } from "node:path";
import { layouts } from "../../layouts/all.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { objectAt, readInstalled, readJson, readMerged, settingsFiles } from "./client-settings.ts";

/** Plugins known to drive a session from a Stop hook, in case their files cannot be read. */
const KNOWN_LOOPS = /^(?:ralph-wiggum|ralph-loop|ralph)$/;

/** Two stop hooks that both keep the agent going compete: whoever answers last wins. */
export function checkConflicts(
  projectRoot: string | undefined,
  configFolder: string,
): Diagnostic[] {
  const files = settingsFiles(projectRoot, configFolder);
  const on = readMerged(files, "enabledPlugins");
  const found = files.flatMap((file) => checkSettings(file, configFolder, on));
  return found.length > 0
    ? found
    : [
        {
          severity: "ok",
          code: "stop-hooks",
          message: "in claude, no other plugin has a Stop hook",
        },
      ];
}

function checkSettings(
  file: string,
  configFolder: string,
  on: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  const settings = readJson(file);
  if (settings === "broken") {
    return [
      {
        severity: "warning",
        code: "settings-unreadable",
        message: "these settings of claude are not valid JSON",
        target: file,
        fix: "fix the file; the client ignores it",
      },
    ];
  }
  const here = objectAt(settings, "enabledPlugins");
  const enabled = Object.keys(here).filter((id) => here[id] === true && on[id] === true);
  const competing = enabled.filter(
    (id) => !isOurs(id) && (KNOWN_LOOPS.test(nameOf(id)) || hasStopHook(id, configFolder)),
  );
  const own = objectAt(settings, "hooks")["Stop"];
  return [
    ...competing.map((id): Diagnostic => ({
      severity: "warning",
      code: "competing-plugin",
      message: `plugin ${id} has a Stop hook too, and two stop hooks compete`,
      target: file,
      fix: `claude plugin disable ${id}`,
    })),
    ...(Array.isArray(own) && own.length > 0
      ? [
          {
            severity: "info",
            code: "own-stop-hook",
            message: "these settings also have a Stop hook; fine, unless it blocks",
            target: file,
          } as const,
        ]
      : []),
  ];
}

function hasStopHook(id: string, configFolder: string): boolean {
  return readInstalled(configFolder, id).some(({ installPath: folder }) => {
    if (typeof folder !== "string") return false;
    const manifest = readJson(join(folder, ".claude-plugin", "plugin.json"));
    const named = (manifest as { hooks?: unknown } | null)?.hooks;
    const file = typeof named === "string" ? named : "hooks/hooks.json";
    // The manifest may name a file with hooks, or contain them.
    const declared = [readJson(join(folder, file)), manifest];
    return declared.some((hooks) => objectAt(hooks, "hooks")["Stop"] !== undefined);
  });
}

const nameOf = (id: string): string => id.split("@", 1)[0] as string;
const isOurs = (id: string): boolean => layouts.some(({ plugin }) => plugin === nameOf(id));

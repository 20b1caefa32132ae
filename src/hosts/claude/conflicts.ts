import { join } from "node:path";
import { layouts } from "../../layouts/all.ts";
import { readText } from "../../store/read.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";

/** Plugins known to drive a session from a Stop hook, in case their files cannot be read. */
const KNOWN_LOOPS = /^(?:ralph-wiggum|ralph-loop|ralph)$/;

/** Two stop hooks that both keep the agent going compete: whoever answers last wins. */
export function checkConflicts(
  projectRoot: string | undefined,
  configFolder: string,
): Diagnostic[] {
  const files = [
    join(configFolder, "settings.json"),
    ...(projectRoot === undefined
      ? []
      : ["settings.json", "settings.local.json"].map((name) => join(projectRoot, ".claude", name))),
  ];
  // The nearest settings win: what the user enables, a project may disable.
  const on: Readonly<Record<string, unknown>> = Object.assign(
    {},
    ...files.map((file) => objectAt(readJson(file), "enabledPlugins")),
  );
  const found = files.flatMap((file) => checkSettings(file, configFolder, on));
  return found.length > 0
    ? found
    : [{ severity: "ok", code: "stop-hooks", message: "no other plugin has a Stop hook" }];
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
        message: "these client settings are not valid JSON",
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
  const installed = objectAt(
    readJson(join(configFolder, "plugins", "installed_plugins.json")),
    "plugins",
  )[id];
  // Older clients record one path, newer ones a list.
  const places: unknown[] = Array.isArray(installed) ? installed : [installed];
  return places.some((place) => {
    const folder = (place as { installPath?: unknown } | null | undefined)?.installPath;
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

function readJson(path: string): unknown {
  const file = readText(path, 4 << 20);
  if (file.kind === "absent") return {};
  if (file.kind === "unreadable") return "broken";
  try {
    return JSON.parse(file.text) as unknown;
  } catch {
    return "broken";
  }
}

function objectAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const inner =
    typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)[key]
      : undefined;
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ran, REPOSITORY, runChild } from "./child.ts";
import { type Place, SESSION } from "./support.ts";

interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

/** The very command line that the client runs. */
export function commandOf(plugin: string, event: string): string {
  // What only newer clients know is in a separate file.
  const name = event === "UserPromptExpansion" ? "expansion.json" : "hooks.json";
  const file = join(REPOSITORY, "plugins", plugin, "hooks", name);
  const { hooks } = JSON.parse(readFileSync(file, "utf8")) as Hooks;
  const command = hooks[event]?.[0]?.hooks[0]?.command;
  if (command === undefined) throw new Error(`${file} has no ${event}`);
  return command;
}

export interface At {
  readonly cwd?: string;
  readonly started?: string;
  readonly path?: string;
  readonly event?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the client sends besides session, folder and last message. */
  readonly fields?: object;
}

export function runGate({ layout, root, env }: Place, at: At = {}): Ran {
  const cwd = at.cwd ?? root;
  return runChild(at.shell ?? "/bin/sh", ["-c", commandOf(layout.plugin, at.event ?? "Stop")], {
    cwd,
    input: JSON.stringify({
      session_id: SESSION,
      cwd,
      last_assistant_message: "Done.",
      ...at.fields,
    }),
    env: {
      ...env,
      ...(at.path === undefined ? {} : { PATH: at.path }),
      CLAUDE_PLUGIN_ROOT: join(REPOSITORY, "plugins", layout.plugin),
      CLAUDE_PROJECT_DIR: at.started ?? root,
      ...at.env,
    },
    timeout: 60_000,
  });
}

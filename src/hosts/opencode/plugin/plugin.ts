import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { layouts } from "../../../layouts/all.ts";
import type { Edition, Layout } from "../../../layouts/layout.ts";
import { isDriven } from "../../../store/lease.ts";
import { findProject } from "../../../store/project.ts";
import { findActiveSpec } from "../../../store/spec.ts";
import { findRunningProject } from "../../../store/vault.ts";
import { opencode } from "../host.ts";
import { hookCalls } from "./ask-hook.ts";
import { bridge } from "./bridge.ts";
import type { Client } from "./client.ts";
import { readMenu } from "./menu.ts";

/** Inserted by the build: each plugin folder has its own. */
declare const LAYOUT: string;

interface Input {
  readonly client: Client;
  readonly directory: string;
}

/** Subcommands after whose turn nobody is left to begin another. */
const ENDS_WITH_TURN = ["run", "acp"];

/**
 * What OpenCode loads. The only export: it takes each for a plugin. Whatever goes wrong in here must not disturb the
 * client.
 */
export async function smartRalph({ client, directory }: Input): Promise<object> {
  // Whoever drives the client from outside decides what comes next.
  if (isDriven(process.env)) return {};
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const layout = opencode.edition(layouts.find(({ id }) => id === LAYOUT) as Layout);
  const { plugin } = layout;
  let hasFailed = false;

  const { denies, ...handlers } = bridge({
    client,
    cwd: directory,
    hook: hookCalls(join(folder, "dist", "hook.cjs"), layout.id, (why) => {
      if (hasFailed) return;
      hasFailed = true;
      const message = `${layout.voice.brand} cannot run its hook: ${why}`;
      void client.tui.showToast({ body: { message, variant: "error" } }).catch(() => {});
    }),
    mayHaveRun: () =>
      findRunningProject(layout, directory) !== undefined || hasState(layout, directory),
    prefix: `${plugin}:`,
    endsWithTurn: ENDS_WITH_TURN.some((word) => process.argv.slice(2).includes(word)),
    print: (line) => void process.stderr.write(`[${plugin}] ${line}\n`),
  });

  return {
    ...Object.fromEntries(Object.entries(handlers).map(([name, run]) => [name, guarded(run)])),
    config: guarded(async (settings: { command?: object }) => {
      settings.command = { ...readMenu(join(folder, "commands"), plugin), ...settings.command };
    }),
    async "tool.execute.before"(asked?: { readonly tool: string; readonly sessionID: string }) {
      if (asked?.tool !== layout.voice.questionTool) return;
      const why = await denies(asked.sessionID).catch(() => undefined);
      // How the client is told.
      if (why !== undefined) throw new Error(why);
    },
  };
}

/** Whether the project's active spec has a state: the program decides whether there is a run. */
function hasState(layout: Edition, folder: string): boolean {
  const project = findProject(layout, [folder]);
  const found = project?.settings.enabled === true ? findActiveSpec(project) : undefined;
  return found?.kind === "ok" && existsSync(found.spec.state);
}

const guarded =
  (run: (...args: never[]) => Promise<void>) =>
  async (...args: never[]): Promise<void> => {
    try {
      await run(...args);
    } catch {
      // The agent may stop, and the user's words go through as they are.
    }
  };

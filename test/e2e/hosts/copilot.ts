import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { findAt } from "../../support/download.ts";
import { repoRoot } from "../install.ts";
import { type Adapter, binOf, type Seat } from "./adapter.ts";
import { runOnce } from "./run-once.ts";
import { baseEnv, headlessSession } from "./session.ts";

/** Any address: nobody asks a model for this. */
const NOBODY = "http://127.0.0.1:9";

/** It unpacks itself there: 190 MB, once for all tests. */
const cacheOf = (client: string): string => join(client, "..", "..", "..", "..", "cache");

/** No GitHub: a model of our own, at `url`. */
export const offlineEnv = (client: string, url: string): Record<string, string> => ({
  XDG_CACHE_HOME: cacheOf(client),
  COPILOT_OFFLINE: "true",
  COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
  COPILOT_PROVIDER_API_KEY: "made-up",
  COPILOT_MODEL: "scripted",
});

const envOf = (seat: Seat, url: string): Record<string, string> => ({
  ...baseEnv(seat),
  ...offlineEnv(seat.client, url),
});

export const copilot: Adapter = {
  id: "copilot",
  name: "Copilot CLI",
  package: "@github/copilot",
  version: "1.0.102",
  find: findAt("@github", "copilot", "npm-loader.js"),
  worker: "self",
  reports: "done",
  type: ({ plugin }, command) => `/${plugin}:${command}`,
  program: (layout) => binOf(repoRoot, layout),
  shell: (command) => ({ name: "bash", input: { command, description: "work" } }),
  sessionVariable: "COPILOT_AGENT_SESSION_ID",
  async install(seat) {
    const run = (args: string[], expect: RegExp): Promise<void> =>
      runOnce(seat.node, [seat.client, "plugin", ...args], {
        cwd: seat.place.root,
        env: envOf(seat, NOBODY),
        expect,
      });
    await run(["marketplace", "add", repoRoot], /added successfully/);
    const plugin = `${seat.place.layout.plugin}@smart-ralph`;
    await run(["install", plugin], /installed successfully/);
  },
  async open(table) {
    const id = randomUUID();
    return headlessSession(table, {
      args: (prompt) => [
        "--session-id",
        id,
        "--allow-all-tools",
        "--allow-all-paths",
        "--prompt",
        prompt,
      ],
      sessionIn: () => id,
      env: envOf(table, table.url),
      by: table.node,
    });
  },
  differences: {},
};

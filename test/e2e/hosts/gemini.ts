import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findAt } from "../../support/download.ts";
import { repoRoot } from "../install.ts";
import { type Adapter, binOf, type Seat } from "./adapter.ts";
import { baseEnv, headlessSession } from "./session.ts";

/** No account, no reports, and as `init` sets it up: a long run is not a loop of the client's. */
export const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  model: { disableLoopDetection: true },
};

/** The client trusts no folder by itself, and starts itself once more unless it is told not to. */
const ENV = {
  GEMINI_API_KEY: "made-up",
  GEMINI_CLI_TRUST_WORKSPACE: "true",
  GEMINI_CLI_NO_RELAUNCH: "true",
};

export const gemini: Adapter = {
  id: "gemini",
  name: "Gemini CLI",
  package: "@google/gemini-cli",
  version: "0.61.0",
  find: findAt("@google", "gemini-cli", "bundle", "gemini.js"),
  worker: "self",
  reports: "message",
  type: ({ plugin }, command) => `/${plugin}:${command}`,
  program: (layout) => binOf(repoRoot, layout),
  shell: (command) => ({
    name: "run_shell_command",
    input: { command, description: "scripted" },
  }),
  async install(seat) {
    await mkdir(join(seat.place.home, ".gemini"), { recursive: true });
    const file = join(seat.place.home, ".gemini", "settings.json");
    await writeFile(file, JSON.stringify(SETTINGS));
    await runGemini(seat, ["extensions", "link", repoRoot, "--consent"]);
  },
  async open(table) {
    return headlessSession(table, {
      by: table.node,
      env: { ...ENV, GOOGLE_GEMINI_BASE_URL: table.url },
      args: (prompt, session) => [
        "-p",
        prompt,
        "--output-format=stream-json",
        "--yolo",
        // With its own choice of a model the client asks one which to take, at each prompt.
        "--model=gemini-2.5-flash",
        ...(session === undefined ? [] : ["--resume", session]),
      ],
      sessionIn: (output) => /"session_id":"([^"]+)"/.exec(output)?.[1],
    });
  },
  differences: {},
};

/** A subcommand such as `extensions list`; returns what it printed, all of which goes to standard error. */
export async function runGemini(seat: Seat, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(seat.node, [seat.client, ...args], {
    cwd: seat.place.root,
    env: { ...baseEnv(seat), ...ENV },
    timeout: 60_000,
  });
  return stdout + stderr;
}

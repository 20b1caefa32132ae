import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { installAdapter, installClientNode, VERSIONS } from "./hosts/adapter.ts";
import { adapters } from "./hosts/all.ts";
import { TRIED, installClient } from "./install.ts";

/**
 * Vitest's global setup: a download must not be charged to the first test's time limit. What cannot be had fails the
 * run: a client that is not there would be a client that is not tested.
 */
export default async function setup(): Promise<void> {
  if (process.env[VERSIONS] === "latest") process.env[VERSIONS] = await newest();
  await Promise.all([
    ...TRIED.map(installClient),
    ...adapters.map(installAdapter),
    installClientNode(),
  ]);
}

/** `codex@1.2.3 …`: workers inherit the variable, and all have to run the same. */
async function newest(): Promise<string> {
  const found = await Promise.all(
    adapters.map(async ({ id, package: name }) => {
      const { stdout } = await promisify(execFile)("npm", ["view", name, "version"]);
      return `${id}@${stdout.trim()}`;
    }),
  );
  process.stderr.write(`newest clients: ${found.join(", ")}\n`);
  return found.join(" ");
}

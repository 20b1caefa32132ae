import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isQuick } from "../support/full.ts";
import { installAdapter, installClientNode, VERSIONS } from "./hosts/adapter.ts";
import { adapters } from "./hosts/all.ts";
import { TRIED, installClient } from "./install.ts";
import { missingClients } from "./missing.ts";

/**
 * Vitest's global setup: a download must not be charged to the first test's time limit. `npm test` has already tried:
 * tests of what it could not get do not run, and it says so.
 */
export default async function setup(): Promise<void> {
  if (process.env[VERSIONS] === "latest") process.env[VERSIONS] = await newest();
  await Promise.all([
    ...TRIED.map(installClient),
    ...adapters.filter(isHere).map(installAdapter),
    ...(adapters.some((one) => one.id !== "claude" && isHere(one)) ? [installClientNode()] : []),
  ]);
}

const isHere = ({ id }: { readonly id: string }): boolean =>
  !missingClients.includes(id) && (!isQuick || id === "claude");

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

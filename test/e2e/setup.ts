import { TRIED, installClient } from "./install.ts";

/** Vitest's global setup: a download must not be charged to the first test's time limit. */
export default async function setup(): Promise<void> {
  for (const version of TRIED) await installClient(version);
}

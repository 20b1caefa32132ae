import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { FILE_FOLDER, GROUND, HOME } from "./places.ts";

/**
 * For each test file: a temporary folder that goes with it, and an environment that knows nothing about whoever runs the
 * tests. Neither their settings, nor their git's, nor the client from which they run them are for a test.
 */
const folder = mkdtempSync(join(process.env[GROUND] ?? tmpdir(), FILE_FOLDER));
// Other users may look into it.
chmodSync(folder, 0o755);
const home = join(folder, HOME);
mkdirSync(home);
for (const name of Object.keys(process.env)) {
  if (/^(?:GIT_|CLAUDE|XDG_|AI_AGENT$|NODE_OPTIONS$)/.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  TMPDIR: folder,
  TMP: folder,
  TEMP: folder,
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_STATE_HOME: join(home, ".state"),
  GIT_CONFIG_NOSYSTEM: "1",
});
process.umask(0o022);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

// What fast-check prints when a property fails: SEED=<seed> tries the same inputs again.
const seed = process.env["SEED"];
if (seed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** What a test does within its own process is not written down in the home of whoever runs it. */
const folder = join(
  tmpdir(),
  `smart-ralph-state-${process.pid}-${Math.random().toString(36).slice(2)}`,
);
process.env["XDG_STATE_HOME"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

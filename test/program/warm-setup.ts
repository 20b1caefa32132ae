import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { isFull } from "../support/full.ts";
import { WARM } from "./frames.ts";

/** Vitest's global setup: the program of `warm-main.ts`, built once for all test files. */
export default function setup(): (() => void) | undefined {
  // Windows has no named pipes that can be read and written in step.
  if (isFull || process.platform === "win32") return undefined;
  const folder = mkdtempSync(join(tmpdir(), "smart-ralph-warm-"));
  const outfile = join(folder, "warm.cjs");
  const entry = join(import.meta.dirname, "warm-main.ts");
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "cjs" });
  process.env[WARM] = outfile;
  return () => {
    delete process.env[WARM];
    rmSync(folder, { recursive: true, force: true });
  };
}

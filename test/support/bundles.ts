import { spawnSync } from "node:child_process";
import { repoRoot } from "./download.ts";

/** Vitest's global setup for what runs the bundles: a test of an old bundle would say nothing about the source. */
export default function setup(): void {
  const shared = globalThis as { bundlesAreFresh?: boolean };
  shared.bundlesAreFresh ??= areFresh();
}

function areFresh(): boolean {
  const args = ["scripts/run.mjs", "scripts/build.ts", "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: repoRoot, encoding: "utf8" });
  if (status !== 0) throw new Error(`bundles are stale: run npm run build\n${stderr}`);
  return true;
}

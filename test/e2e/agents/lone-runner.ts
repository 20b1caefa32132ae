import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { repoRoot } from "../install.ts";

/** The guard as it is shipped. */
export const GUARD = join(repoRoot, "bin", "guard.cjs");

/** A runner that does nothing but run one agent under a guard, in a process that can be killed. */
export async function buildLoneRunner(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "runner-")), "runner.cjs");
  await build({
    entryPoints: [join(repoRoot, "test/e2e/agents/lone-runner-main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    loader: { ".md": "text" },
    logLevel: "error",
  });
  return outfile;
}

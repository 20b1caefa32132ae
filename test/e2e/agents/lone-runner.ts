import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { repoRoot } from "../install.ts";

/** A runner that does nothing but run one agent under a guard, in a process that can be killed. */
export async function buildLoneRunner(): Promise<{ script: string; guard: string }> {
  const folder = mkdtempSync(join(tmpdir(), "runner-"));
  const options = {
    bundle: true,
    platform: "node",
    format: "cjs",
    loader: { ".md": "text" },
    logLevel: "error",
  } as const;
  const [script, guard] = [join(folder, "runner.cjs"), join(folder, "guard.cjs")] as const;
  const entry = (path: string): string => join(repoRoot, path);
  await build({ ...options, entryPoints: [entry("src/apps/guard/main.ts")], outfile: guard });
  await build({
    ...options,
    entryPoints: [entry("test/e2e/agents/lone-runner-main.ts")],
    outfile: script,
  });
  return { script, guard };
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientEnv } from "../../test/e2e/client.ts";
import { CURRENT, installClient, repoRoot } from "../../test/e2e/install.ts";
import type { Model } from "../../test/e2e/model.ts";
import { programPath, type Stage } from "./stage.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export const COLUMNS = 80;

/** The real client with a user at it, as after its first start: no account, no network but the scripted model. */
export async function openClient(stage: Stage, model: Model, rows: number): Promise<Terminal> {
  const binary = await installClient(CURRENT);
  writeFileSync(
    join(stage.home, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      lastOnboardingVersion: CURRENT,
      theme: "dark",
      customApiKeyResponses: { approved: ["made-up"], rejected: [] },
      projects: { [stage.root]: { hasTrustDialogAccepted: true } },
    }),
  );
  const plugin = join(repoRoot, "plugins", "ralph-specum");
  // The scripted agents write files in the shell: nobody should be asked about that.
  const terminal = openTerminal([binary, "--plugin-dir", plugin, "--allowedTools", "Bash"], {
    columns: COLUMNS,
    rows,
    cwd: stage.root,
    env: clientEnv({ model, home: stage.home }),
  });
  await terminal.until(/^❯/m);
  return terminal;
}

/** A plain shell in the project, with the program on its PATH. */
export async function openShell(stage: Stage, rows: number): Promise<Terminal> {
  const bin = join(stage.home, "bin");
  mkdirSync(bin, { recursive: true });
  const start = `#!/bin/sh\nexec "${process.execPath}" "${programPath}" "$@"\n`;
  writeFileSync(join(bin, "smart-ralph"), start, { mode: 0o755 });
  const terminal = openTerminal(["sh"], {
    columns: COLUMNS,
    rows,
    cwd: stage.root,
    env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: stage.home, PS1: "$ " },
  });
  await terminal.until(/^\$/m);
  return terminal;
}

import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "../../../src/text/quote.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { sandboxedCodex } from "../agents/codex.ts";

/** Codex in its own sandbox, or without one on a machine that does not allow it. */
export const codex: AgentAdapter = {
  ...sandboxedCodex,
  async prepare(stand) {
    const env = await sandboxedCodex.prepare(stand);
    const { home, bin } = stand;
    const PATH = `${bin}:${process.env["PATH"]}`;
    const { why = "" } = await sandboxedCodex.agent.probe({
      cwd: home,
      env: { ...env, PATH, HOME: home },
    });
    if (why.includes("sandbox cannot start")) goWithout(bin);
    return env;
  },
};

function goWithout(bin: string): void {
  const [file, real] = [join(bin, "codex"), join(bin, "real-codex")];
  renameSync(file, real);
  const free = "--dangerously-bypass-approvals-and-sandbox";
  writeFileSync(
    file,
    `#!/bin/sh
for argument do
  shift
  case $argument in --sandbox=*) argument=${free} ;; esac
  set -- "$@" "$argument"
done
exec ${quoteForShell(real)} "$@"
`,
  );
  chmodSync(file, 0o755);
}

import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { HostChecks } from "../checks.ts";
import { checkConflicts } from "./conflicts.ts";

/** The oldest version on which our end-to-end tests pass. */
export const OLDEST_CLAUDE = "2.1.91";

export function checkClaude(printed: string | undefined): Diagnostic {
  if (printed === undefined) {
    return {
      severity: "info",
      code: "claude",
      message: "claude is not on PATH",
      fix: "npm install -g @anthropic-ai/claude-code",
    };
  }
  const version = /(?<!\d)\d+\.\d+\.\d+/.exec(printed)?.[0];
  if (version === undefined || isOlder(version, OLDEST_CLAUDE)) {
    const message = `claude ${version ?? "of unknown version"} is not tested with these plugins`;
    return {
      severity: "warning",
      code: "claude",
      message,
      fix: `claude update (tested from ${OLDEST_CLAUDE})`,
    };
  }
  return { severity: "ok", code: "claude", message: `claude ${version}` };
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}

export function readClaudeVersion(env: NodeJS.ProcessEnv): string | undefined {
  const run = spawnSync("claude", ["--version"], {
    // Otherwise the Windows shell would try a file of the project first.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
    encoding: "utf8",
    timeout: 10_000,
    shell: process.platform === "win32",
  });
  return run.status === 0 ? run.stdout : undefined;
}

export const checks: HostChecks = {
  checkClient: (env) => checkClaude(readClaudeVersion(env as NodeJS.ProcessEnv)),
  checkOthers: (root, env) =>
    checkConflicts(root, env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude")),
};

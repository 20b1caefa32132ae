import { spawnSync } from "node:child_process";
import type { Diagnostic } from "../../text/diagnostic.ts";

/** The oldest version on which our end-to-end tests pass. */
export const OLDEST_CLAUDE = "2.1.91";
const OLDEST_NODE = 20;

export function checkNode(version: string): Diagnostic {
  const message = `node ${version}`;
  return Number(version.split(".")[0]) >= OLDEST_NODE
    ? { severity: "ok", code: "node", message }
    : {
        severity: "error",
        code: "node",
        message: `${message} is too old`,
        fix: `install node ${OLDEST_NODE} or newer`,
      };
}

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
    // Else the shell of Windows would try a file of the project first.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
    encoding: "utf8",
    timeout: 10_000,
    shell: process.platform === "win32",
  });
  return run.status === 0 ? run.stdout : undefined;
}

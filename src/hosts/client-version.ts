import { spawnSync } from "node:child_process";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Environment } from "./host.ts";

/** A client's program, and the oldest version on which our end-to-end tests pass. */
export interface ClientProgram {
  readonly name: string;
  readonly oldest: string;
  /** How to get it, and how to get a newer one. */
  readonly install: string;
  readonly update: string;
}

export function checkVersion(
  { name, oldest, install, update }: ClientProgram,
  printed: string | undefined,
): Diagnostic {
  if (printed === undefined)
    return { severity: "info", code: name, message: `${name} is not on PATH`, fix: install };
  const version = versionIn(printed);
  if (version === undefined || isOlder(version, oldest)) {
    const message = `${name} ${version ?? "of unknown version"} is not tested with these plugins`;
    return { severity: "warning", code: name, message, fix: `${update} (tested from ${oldest})` };
  }
  return { severity: "ok", code: name, message: `${name} ${version}` };
}

export const versionIn = (printed: string): string | undefined =>
  /(?<!\d)\d+\.\d+\.\d+/.exec(printed)?.[0];

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}

/** What the program prints about its version; undefined if it cannot be run. */
export function readVersion(program: string, env: Environment): string | undefined {
  const run = spawnSync(program, ["--version"], {
    // Otherwise the Windows shell would try a file of the project first.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: "1" },
    encoding: "utf8",
    // Gemini CLI takes more than a second, and several under load. Ended early, it says nothing and claims success.
    timeout: 30_000,
    shell: process.platform === "win32",
  });
  return run.status === 0 ? run.stdout : undefined;
}

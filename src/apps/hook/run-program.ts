import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { oneLine } from "../../text/template.ts";

declare const __dirname: string;

/** Within the time that the client gives a hook. */
const TIMEOUT_MS = 840_000;

/**
 * Our own program, in a process of its own: it waits for commands, and a hook does not wait for anything else. Returns
 * what it prints. `failed` says what it means if it cannot.
 */
export function runProgram(
  { id }: Edition,
  { name }: Host,
  words: readonly string[],
  env: Environment,
  input: unknown,
  failed: string,
): string {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(__dirname, "cli.cjs"), `--host=${name}`, `--layout=${id}`, ...words],
    {
      input: JSON.stringify(input),
      env: { ...env },
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_BYTES,
      windowsHide: true,
    },
  );
  if (status === 0) return stdout;
  const why = error?.message ?? oneLine(stderr, 300);
  throw new Error(`${failed}: ${why}`);
}

/** A prompt is a few kilobytes. */
const MAX_BYTES = 16 << 20;

import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "../test/e2e/client.ts";
import { CURRENT, repoRoot } from "../test/e2e/install.ts";

/** Whether the client is at hand; nothing is downloaded for a measurement. */
export const hasClient = (): boolean => existsSync(join(repoRoot, ".clients", CURRENT));

/**
 * What `claude plugin details` says a plugin costs, by command or agent; what it adds to every session is under
 * the empty name. The numbers are rounded by the client.
 */
export async function readDetails(plugin: string): Promise<ReadonlyMap<string, string>> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "smart-ralph-details-"));
  // None of this asks a model; nothing listens at this address.
  const options = { model: { url: "http://127.0.0.1:9" }, home, cwd: home };
  try {
    await runCommand(["plugin", "marketplace", "add", resolve(".")], options);
    await runCommand(["plugin", "install", `${plugin}@smart-ralph`], options);
    const text = await runCommand(["plugin", "details", plugin], options);
    return parseDetails(text);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function parseDetails(text: string): Map<string, string> {
  const always = /Always-on:\s+(~?\d+)/.exec(text)?.[1];
  const rows = [...text.matchAll(/^ {2}(\S+) +(?:~\d+|< \d+) +(~\d+|< \d+)$/gm)];
  return new Map([
    ...(always === undefined ? [] : [["", always] as const]),
    ...rows.map(([, name = "", onInvoke = ""]) => [name, onInvoke] as const),
  ]);
}

import { type ChildProcess, spawn, spawnSync, type SpawnSyncOptions } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { makeFolder } from "./temporary.ts";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** What a client's own environment must not change. */
export const pathWith = (node: string): string => `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`;
export const PATH = pathWith(process.execPath);

export interface Ran {
  /** Null if it had to be killed because it did not end on its own. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What a hook says on standard error, besides the line that each block leaves there. */
export const faultsIn = (err: string): string =>
  err.replace(/^\[ralph-\w+\] (?:Session stopped during|WARNING: Corrupt state file) .*\n/gm, "");

export function runChild(
  file: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(file, args, { timeout: 60_000, ...options });
  return { code: status, out: String(stdout), err: String(stderr) };
}

/** The same without waiting, for many at once. */
export async function startChild(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ran> {
  const { input = "", ...rest } = options;
  const child = spawn(file, args, { ...rest, timeout: 60_000 });
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await endOf(child);
  return { code, out: out(), err: err() };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

export const endOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });

/**
 * Bundles a few lines of TypeScript, which see `src` as their folder, into a separate program: what might
 * hang, die or race with itself does so there.
 */
export function makeProgram(source: string): string {
  const outfile = join(makeFolder(), "program.cjs");
  buildSync({
    stdin: { contents: source, resolveDir: join(REPOSITORY, "src"), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    loader: { ".md": "text" },
  });
  return outfile;
}

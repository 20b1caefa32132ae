import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * The clients that the end-to-end tests run, pinned here and nowhere else. `OLD` is the first that comes as
 * a native binary. It runs sub-agents in the foreground, lists no background tasks at a stop, and gives the
 * commands it runs no session id in their environment.
 */
export const CURRENT = "2.1.325";
export const OLD = "2.1.113";

export const repoRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cache = join(repoRoot, ".clients");

/** The client's native binary, downloaded once into the git-ignored cache. */
export async function installClient(version: string): Promise<string> {
  const home = join(cache, version);
  return (await findBinary(home)) ?? (await download(version, home));
}

/**
 * Two test workers may ask at once. Each installs beside the cache and renames, which is atomic: whoever
 * comes second finds the folder taken and throws its own copy away, and nobody ever sees half a client.
 */
async function download(version: string, home: string): Promise<string> {
  process.stderr.write(`installing Claude Code ${version} into ${home}\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `.${version}-`));
  try {
    const name = `@anthropic-ai/claude-code@${version}`;
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await promisify(execFile)("npm", ["install", "--prefix", fresh, ...flags, name], {
      cwd: fresh,
    });
    // A taken name (ENOTEMPTY, EEXIST) is the other worker's finished copy; anything else shows below.
    await rename(fresh, home).catch(() => undefined);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  const binary = await findBinary(home);
  if (binary === undefined) {
    throw new Error(
      `Claude Code ${version} has no binary for ${process.platform}-${process.arch}: look into ${home}`,
    );
  }
  return binary;
}

/** npm picks the platform's own package (also the C library's kind); take whichever it chose. */
async function findBinary(home: string): Promise<string | undefined> {
  const scope = join(home, "node_modules", "@anthropic-ai");
  const packages = await readdir(scope).catch(() => []);
  for (const name of packages) {
    if (!name.startsWith(`claude-code-${process.platform}-${process.arch}`)) continue;
    for (const file of ["claude", "claude.exe"]) {
      const binary = join(scope, name, file);
      if (
        await stat(binary).then(
          (found) => found.isFile(),
          () => false,
        )
      )
        return binary;
    }
  }
  return undefined;
}

import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const repoRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cache = join(repoRoot, ".clients");

/** A program that tests run: a package from npm, kept in a folder of the git-ignored cache. */
export interface Download {
  /** For people. */
  readonly what: string;
  /** The folder's name in the cache. */
  readonly folder: string;
  /** As npm takes it: `name@version`. */
  readonly package: string;
  /** The program in the folder, or undefined where it is not there. */
  readonly find: (home: string) => Promise<string | undefined>;
}

/** For a program that is always in the same place. */
export const findAt =
  (...names: readonly string[]): Download["find"] =>
  (home) => {
    const path = join(home, "node_modules", ...names);
    return access(path).then(
      () => path,
      () => undefined,
    );
  };

const wanted = new Map<string, Promise<string>>();

/** The program, downloaded once. */
export function installOnce(download: Download): Promise<string> {
  const { folder, find } = download;
  const home = join(cache, folder);
  const found =
    wanted.get(folder) ?? find(home).then((program) => program ?? install(download, home));
  wanted.set(folder, found);
  return found;
}

/**
 * Two test workers may ask at once. Each installs next to the cache and renames, which is atomic: whoever
 * comes second finds the folder taken and throws its own copy away, and nobody ever sees half a program.
 */
async function install({ what, folder, package: spec, find }: Download, home: string) {
  process.stderr.write(`installing ${what} into ${home}\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `.${folder}-`));
  try {
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await promisify(execFile)("npm", ["install", "--prefix", fresh, ...flags, spec], {
      cwd: fresh,
    });
    // A taken name (ENOTEMPTY, EEXIST) is the other worker's finished copy; anything else shows below.
    await rename(fresh, home).catch(() => undefined);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  const program = await find(home);
  if (program === undefined) {
    throw new Error(
      `${what} has no program for ${process.platform}-${process.arch}: look into ${home}`,
    );
  }
  return program;
}

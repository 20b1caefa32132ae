import { statfsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Bytes that we may still write where this is, or would be; undefined if the system does not say. */
export function readFree(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return dirname(path) === path ? undefined : readFree(dirname(path));
  }
}

export interface Size {
  readonly bytes: number;
  /** How many of them are below a folder of this name. */
  readonly named: number;
}

/** What a folder takes on the disk, as far as it can be counted until then. Links are not followed. */
export async function measureFolder(folder: string, name: string, until: number): Promise<Size> {
  let bytes = 0;
  let named = 0;
  const walk = async (path: string, isNamed: boolean): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (Date.now() > until) return;
      const below = join(path, entry.name);
      if (entry.isDirectory()) await walk(below, isNamed || entry.name === name);
      else {
        const size = (await lstat(below).catch(() => undefined))?.blocks ?? 0;
        bytes += size * 512;
        if (isNamed) named += size * 512;
      }
    }
  };
  await walk(folder, false);
  return { bytes, named };
}

import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes that we may still write where this is, or would be; undefined if the system does not say. */
export function readFree(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return dirname(path) === path ? undefined : readFree(dirname(path));
  }
}

import { resolve } from "node:path";
import type { Edition } from "../layouts/layout.ts";
import type { Entry } from "../run/journal.ts";
import { YOUNG_MS } from "./lock.ts";
import { openProject } from "./project.ts";
import { readOpenEntry } from "./spec-files.ts";
import { findRunningProject, listRunningSpecs, unmarkRunning, type VaultSpec } from "./vault.ts";

export interface OpenRun {
  readonly spec: VaultSpec;
  readonly last: Entry;
}

const MAX_PATH = 4096;

/** The session's run that is on, according to this machine's records, wherever its files are now. */
export function findOpenRun(
  layout: Edition,
  starts: readonly string[],
  session: string | null,
): OpenRun | undefined {
  if (session === null) return undefined;
  for (const start of new Set(starts)) {
    const root = start.length > MAX_PATH ? undefined : findRunningProject(layout, resolve(start));
    if (root === undefined) continue;
    for (const spec of listRunningSpecs(openProject(layout, root))) {
      const last = readOpenEntry(spec);
      if (last?.loop.session === session) return { spec, last };
      // The process that ended the run was killed before it removed the mark, which starts node at every stop.
      if (last === undefined) unmarkRunning(spec, YOUNG_MS);
    }
  }
  return undefined;
}

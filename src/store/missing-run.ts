import { resolve } from "node:path";
import type { Entry } from "../run/journal.ts";
import type { Layout } from "../layouts/layout.ts";
import { readOpenEntry } from "./spec-files.ts";
import { openProject } from "./project.ts";
import { YOUNG_MS } from "./lock.ts";
import { findOn, listOn, markOff, type VaultSpec } from "./vault.ts";

export interface OnRun {
  readonly spec: VaultSpec;
  readonly last: Entry;
}

const MAX_PATH = 4096;

/** The run that this machine has on for a session, wherever its files are now. */
export function findOnRun(
  layout: Layout,
  starts: readonly string[],
  session: string | null,
): OnRun | undefined {
  if (session === null) return undefined;
  for (const start of new Set(starts)) {
    const root = start.length > MAX_PATH ? undefined : findOn(layout, resolve(start));
    if (root === undefined) continue;
    for (const spec of listOn(openProject(layout, root))) {
      const last = readOpenEntry(spec);
      if (last?.loop.session === session) return { spec, last };
      // Whoever ended it was killed before this went, and node would be started at every stop for nothing.
      if (last === undefined) markOff(spec, YOUNG_MS);
    }
  }
  return undefined;
}

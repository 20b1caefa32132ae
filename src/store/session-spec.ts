import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "./project.ts";
import { faultIn, MAX_BYTES, statOf, textAt } from "./read.ts";
import { readState } from "./spec-files.ts";
import { findActiveSpec, findSpec, type Spec, type SpecLookup } from "./spec.ts";
import { choicesFolder, encodeFileName, isSameFolder, realPathOf } from "./vault-place.ts";
import { makeFolder, removeFile, writeWhole } from "./write.ts";

const MONTH_MS = 30 * 86_400_000;
/** More sessions than anybody keeps open: older ones go by the pointer again. */
const MAX_SESSIONS = 200;

/** A person outside of any session. No session's file has this name. */
const TERMINAL = "%terminal";

const nameOf = (session: string | null): string =>
  session === null ? TERMINAL : encodeFileName(session);

/** From now on, this session works on this spec. */
export function chooseSpec({ project, folder }: Spec, session: string | null): void {
  const place = choicesFolder(project);
  if (place === undefined) return;
  faultIn(() => {
    makeFolder(place);
    removeOld(place);
    writeWhole(join(place, nameOf(session)), `${realPathOf(folder)}\n`);
  });
}

function removeOld(place: string): void {
  const known = readdirSync(place).map((name) => {
    const path = join(place, name);
    return { path, at: statOf(path)?.mtimeMs ?? 0 };
  });
  const newest = known.toSorted((a, b) => b.at - a.at);
  for (const [i, { path, at }] of newest.entries())
    if (i >= MAX_SESSIONS || Date.now() - at > MONTH_MS) removeFile(path);
}

const readChoice = (path: string): string | undefined => textAt(path, MAX_BYTES.pointer)?.trimEnd();

/**
 * The spec that a session means: the one that it chose itself, while the pointer names another session's. A pointer
 * that says something else was changed by a person, and counts for everybody; so does one that is gone.
 */
export function findSessionSpec(project: Project, session: string | null): SpecLookup {
  const active = findActiveSpec(project);
  const place = session === null || active.kind !== "ok" ? undefined : choicesFolder(project);
  if (place === undefined || session === null || active.kind !== "ok") return active;
  const own = readChoice(join(place, encodeFileName(session)));
  if (own === undefined || isSameFolder(own, active.spec.folder)) return active;
  const pointed = realPathOf(active.spec.folder);
  const choosers = readdirSync(place).filter((name) => readChoice(join(place, name)) === pointed);
  if (choosers.length === 0) return active;
  // Below the root by its real path, which may not be the path that the project is known by.
  const root = realPathOf(project.root);
  const found = findSpec(project, own.startsWith(root) ? `.${own.slice(root.length)}` : own);
  if (found.kind !== "ok") return active;
  // What was started in a terminal is for the next session that has nothing to do.
  return choosers.some((name) => name !== TERMINAL) || isGoing(found.spec) ? found : active;
}

function isGoing(spec: Spec): boolean {
  const file = readState(spec);
  return file.kind === "ok" && file.state.paused !== true;
}

/** Whether a session works on this spec by its own choice: otherwise it goes by the pointer. */
export function isChoiceOf({ project, folder }: Spec, session: string): boolean {
  const place = choicesFolder(project);
  const own = place === undefined ? undefined : readChoice(join(place, encodeFileName(session)));
  return own !== undefined && isSameFolder(own, folder);
}

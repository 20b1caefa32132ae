import { existsSync } from "node:fs";
import type { HostEvent } from "../hosts/host.ts";
import { EXECUTION, type Edition } from "../layouts/layout.ts";
import type { Glance } from "../run/decision.ts";
import { formatEntry } from "../run/journal-lines.ts";
import type { Loop } from "../run/journal.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isWaiting } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import * as say from "../run/user-messages.ts";
import { withLock } from "../store/lock.ts";
import { findOpenRun, type OpenRun } from "../store/missing-run.ts";
import { findProject } from "../store/project.ts";
import { findSessionSpec } from "../store/session-spec.ts";
import { applyWrite, isFinished, readGlance, readOpenEntry } from "../store/spec-files.ts";
import { findSpec, type Spec } from "../store/spec.ts";
import { announceOnce } from "../store/tickets.ts";
import { isSameFolder } from "../store/vault-place.ts";
import { appendToVault, unmarkRunning, type VaultSpec } from "../store/vault.ts";

/** Where the search for a project starts at an event: agents change folders, sessions do not. */
export const startsOf = (cwd: string, projectFolder: string | undefined): string[] =>
  projectFolder === undefined ? [cwd] : [projectFolder, cwd];

/** The spec that the session works on, if it may have a run. `why` explains a rejected pointer. */
export function findActiveRun(
  layout: Edition,
  event: HostEvent,
): { readonly spec?: Spec; readonly why?: string } {
  const project = findProject(layout, startsOf(event.cwd, event.projectFolder));
  if (project === undefined || !project.settings.enabled) return {};
  const found = findSessionSpec(project, event.sessionId);
  if (found.kind === "refused") return { why: found.why };
  return found.kind === "ok" && existsSync(found.spec.state) ? { spec: found.spec } : {};
}

/** What is there, for the user, once per session. */
export function announceStranger(spec: Spec, session: string | null): string | undefined {
  return session === null || announceOnce(session, `stranger ${spec.folder}`)
    ? say.stranger(spec.project.layout, spec)
    : undefined;
}

/**
 * A run of this session with every box ticked whose state somebody removed: an agent that takes the work for finished
 * tidies up. Only its end is left, so the state is written again from this machine's record, and it ends like any other.
 */
export function restoreAtEnd(layout: Edition, where: HostEvent, at: string): Spec | undefined {
  const run = findOpenRun(layout, startsOf(where.cwd, where.projectFolder), where.sessionId);
  if (run === undefined) return undefined;
  const { project, folder } = run.spec;
  const found = project.settings.enabled ? findSpec(project, folder) : undefined;
  if (found?.kind !== "ok" || existsSync(found.spec.state)) return undefined;
  const { spec } = found;
  return withLock(spec.lock, () => {
    const last = readOpenEntry(spec);
    const { phase, paused, awaitingApproval } = last?.held ?? {};
    if (last === undefined || phase !== EXECUTION || paused === true || awaitingApproval === true)
      return undefined;
    if (!isFinished(spec)) return undefined;
    const raw = { name: spec.name, basePath: spec.basePath, ...last.held };
    const note = "its state file was gone, and every box is ticked";
    const write = { event: "repaired", note, loop: last.loop, state: {} } as const;
    applyWrite(spec, { kind: "ok", raw, state: {} }, write, at);
    return spec;
  });
}

/** A run of this session that was on and has disappeared: it ends here, and the user is told. */
export function reportMissingRun(
  layout: Edition,
  where: HostEvent,
  at: string,
): string | undefined {
  const run = findOpenRun(layout, startsOf(where.cwd, where.projectFolder), where.sessionId);
  if (run === undefined) return undefined;
  const { spec, last } = run;
  const note = whyMissing(run);
  const { phase, quickMode, paused, awaitingApproval } = last.held ?? {};
  if (note === undefined) return undefined;
  // It waits for its user, who is told once that it has disappeared, unless they switched themselves.
  if (paused === true || awaitingApproval === true) return tellHidden(layout, run, note);
  const loop = { ...last.loop, open: false };
  appendToVault(spec, formatEntry({ at, event: "lost", note, loop }));
  unmarkRunning(spec);
  // A phase that its user leads from document to document keeps nobody going.
  const isDriven = phase === EXECUTION || quickMode === true;
  // Whoever was told about a broken file also learned that the agent fixes it.
  const isNew = last.loop.told === null || last.loop.told === "corrupt";
  return isDriven && isNew ? say.lost(layout, spec, note) : undefined;
}

function tellHidden(layout: Edition, { spec, last }: OpenRun, why: string): string | undefined {
  const session = last.loop.session ?? "";
  return announceOnce(session, hiddenKey(spec)) ? say.hidden(layout, spec, why) : undefined;
}

/** A session whose user knows is not told again. */
export const hiddenKey = ({ folder }: VaultSpec): string => `hidden ${folder}`;

function whyMissing({ spec, last }: OpenRun): string | undefined {
  const { project, folder } = spec;
  const { layout, settings } = project;
  if (!existsSync(folder)) return "its folder is gone";
  if (!existsSync(`${folder}/${layout.stateFile}`)) return "its state file is gone";
  if (!settings.enabled) return `${layout.settingsFile} switches ${layout.plugin} off`;
  const active = findSessionSpec(project, last.loop.session);
  if (active.kind === "refused") return active.why;
  const isActive = active.kind === "ok" && isSameFolder(active.spec.folder, folder);
  return isActive ? undefined : `${layout.pointer} no longer names it`;
}

/** The spec with this session's run; anything started elsewhere is only text. */
export function ownSpec(layout: Edition, where: HostEvent): Spec | undefined {
  const { spec } = findActiveRun(layout, where);
  return spec !== undefined && whoseRun(readGlance(spec), where.sessionId) === "ours"
    ? spec
    : undefined;
}

/** The loop of this session, while it runs: not paused, not waiting, not stopped. */
export function runningLoop(disk: Glance, sessionId: string | null, now: Now): Loop | undefined {
  if (disk.state.kind !== "ok") return undefined;
  const { state } = disk.state;
  if (state.phase !== EXECUTION || isWaiting(state)) return undefined;
  const loop = currentLoop(state, disk.last, now);
  return loop.session === sessionId && loop.told === null ? loop : undefined;
}

/** Records why a run of this session ends here, unless it waits, is over, or that is known. */
export const noteEnd = (
  spec: Spec,
  session: string | null,
  now: Now,
  reason: (loop: Loop) => [event: "service-error" | "session-ended", note: string],
): void =>
  withLock(spec.lock, () => {
    const disk = readGlance(spec);
    const loop = runningLoop(disk, session, now);
    if (loop === undefined || disk.last?.event === "service-error") return;
    const [event, note] = reason(loop);
    applyWrite(spec, disk.state, { event, note, loop }, now.at);
  });

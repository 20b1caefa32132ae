import { existsSync } from "node:fs";
import type { Disk } from "../run/decision.ts";
import { formatEntry, type Loop } from "../run/journal.ts";
import { EXECUTION, type Layout } from "../layouts/layout.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import * as say from "../run/user-messages.ts";
import { isWaiting } from "../run/state.ts";
import { isKnown, isOurs } from "../run/trust.ts";
import type { Where } from "../hosts/host.ts";
import { readDisk } from "../store/spec-files.ts";
import { findOnRun, type OnRun } from "../store/missing-run.ts";
import { type VaultSpec } from "../store/vault.ts";
import { isSameFolder } from "../store/vault-place.ts";
import { findActiveSpec, type Spec } from "../store/spec.ts";
import { isNews } from "../store/tickets.ts";
import { appendToVault, markOff } from "../store/vault.ts";
import { activeSpec, startsOf } from "../apps/hook/event.ts";

/**
 * Whose the run is that lies in a project. `stranger`: it was started on another machine, by an older version, or by
 * nobody at all; a clone may bring it along. `elsewhere`: this machine has it on in another session.
 */
export function weigh(
  { state, record, last }: Disk,
  session: string | null,
): "ours" | "elsewhere" | "stranger" {
  if (isOurs(state, record, last, session)) return "ours";
  return isKnown(state, record, last, session) ? "elsewhere" : "stranger";
}

/**
 * Whether a run of this machine's has ended here: then only the user's command begins another one. Otherwise an agent
 * that takes its state away and writes it again would have all its turns again.
 */
export const isEnded = ({ record, last }: Disk): boolean =>
  record !== undefined && last?.loop.open === false;

/** What lies there, for the user, once a session. */
export function tellStranger(spec: Spec, session: string | null): string | undefined {
  return session === null || isNews(session, `stranger ${spec.folder}`)
    ? say.stranger(spec.project.layout, spec)
    : undefined;
}

/** A run of this session that was on and is not to be seen any more: it ends here, and the user is told. */
export function missRun(layout: Layout, where: Where, at: string): string | undefined {
  const run = findOnRun(layout, startsOf(where), where.sessionId);
  if (run === undefined) return undefined;
  const { spec, last } = run;
  const note = whyMissing(run);
  const { phase, quickMode, paused, awaitingApproval } = last.held ?? {};
  if (note === undefined) return undefined;
  // It waits for its user, who is told once that it cannot be seen any more, unless it was they who switched.
  if (paused === true || awaitingApproval === true) return tellHidden(layout, run, note);
  const loop = { ...last.loop, open: false };
  appendToVault(spec, formatEntry({ at, event: "lost", note, loop }));
  markOff(spec);
  // Nobody is kept going by a phase that its user leads from document to document.
  const isDriven = phase === EXECUTION || quickMode === true;
  // Who heard of a broken file was told that the agent fixes it.
  const isNew = last.loop.told === null || last.loop.told === "corrupt";
  return isDriven && isNew ? say.lost(layout, spec, note) : undefined;
}

function tellHidden(layout: Layout, { spec, last }: OnRun, why: string): string | undefined {
  const session = last.loop.session ?? "";
  return isNews(session, hiddenMark(spec)) ? say.hidden(layout, spec, why) : undefined;
}

/** A session whose user has heard of it is not told again. */
export const hiddenMark = ({ folder }: VaultSpec): string => `hidden ${folder}`;

function whyMissing({ spec }: OnRun): string | undefined {
  const { project, folder } = spec;
  const { layout, settings } = project;
  if (!existsSync(folder)) return "its folder is gone";
  if (!existsSync(`${folder}/${layout.stateFile}`)) return "its state file is gone";
  if (!settings.enabled) return `${layout.settingsFile} switches ${layout.plugin} off`;
  const active = findActiveSpec(project);
  if (active.kind === "refused") return active.why;
  const isActive = active.kind === "ok" && isSameFolder(active.spec.folder, folder);
  return isActive ? undefined : `${layout.pointer} does not name it any more`;
}

/** The spec with the run of this session; what was started elsewhere is only text. */
export function ownSpec(layout: Layout, where: Where): Spec | undefined {
  const spec = activeSpec(layout, where);
  return spec !== undefined && weigh(readDisk(spec), where.sessionId) === "ours" ? spec : undefined;
}

/** The loop of this session, while it runs: not paused, not waiting, not stopped. */
export function runningLoop(disk: Disk, sessionId: string | null, now: Now): Loop | undefined {
  if (disk.state.kind !== "ok") return undefined;
  const { state } = disk.state;
  if (state.phase !== "execution" || isWaiting(state)) return undefined;
  const loop = currentLoop(state, disk.last, now);
  return loop.session === sessionId && loop.told === null ? loop : undefined;
}

import { existsSync } from "node:fs";
import { askAbout } from "../run/agreement-lines.ts";
import type { Disk } from "../run/decision.ts";
import { planHandOut } from "../run/hand-out.ts";
import { describeEntry, pendingIn, waitingFor } from "../run/inbox.ts";
import { currentLoop } from "../run/loop.ts";
import { firstParagraph } from "../spec/goal.ts";
import { hasDocument, readGoal, readPhases, readSmall } from "../store/documents.ts";
import { readDisk, readEntries } from "../store/spec-files.ts";
import { listSpecs, type Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import { parseTasks } from "../tasks/parse.ts";
import { quoteName } from "../text/quote.ts";
import { mergeRepeats } from "../text/repeats.ts";
import { oneLine } from "../text/template.ts";
import { readSpecFacts } from "./read-facts.ts";
import { type Request, voiceFor } from "./request.ts";
import { findCurrentSpec, findUnnamedSpec } from "./resolve-spec.ts";
import { readOpenPoints } from "./spec-facts.ts";
import { readStanding, standingOf } from "./standing.ts";

/** What fits on one line, from a few files: a client asks for it again and again. */
export function readProgress(request: Request, spec: Spec, goOn?: () => string) {
  return progressOf(spec, readRun(request, spec), isCurrent(request, spec), goOn);
}

/** Where a spec is, as data. */
export function readStatus(request: Request, spec: Spec, goOn?: () => string) {
  const run = readRun(request, spec);
  const { state, loop, brief, facts } = run;
  const { session } = request.caller;
  const active = findCurrentSpec(request, spec.project);
  return {
    ...progressOf(spec, run, isCurrent(request, spec), goOn),
    goal: firstParagraph(readGoal(spec)) ?? null,
    unit: spec.project.layout.unit,
    active: active.kind === "ok" ? active.spec.name : null,
    next: brief.current.map(({ id, title, attempt }) => ({
      id,
      title,
      attempt,
      spent: facts.tasks.find((one) => one.id === id)?.spent ?? null,
    })),
    spent: facts.spent,
    spentByPurpose: facts.spentByPurpose,
    exhausted: brief.exhausted.map((task) => task.id),
    phase: state.phase ?? null,
    small: readSmall(spec, state),
    documents: readPhases(spec, state).map(({ document }) => ({
      document,
      exists: hasDocument(spec, document),
    })),
    openPoints: readOpenPoints(spec),
    iteration: loop.iteration,
    maxIterations: loop.maxIterations,
    session: loop.session,
    thisSession: session === null ? null : loop.session === session,
    events: mergeRepeats(
      readEntries(spec).filter(({ event }) => !INTERNAL.has(event)),
      ({ event, task, note }) => JSON.stringify([event, task, note]),
    )
      .slice(-5)
      .map(({ one: { at, event, task, note }, times }) => ({ at, event, task, note, times })),
    others: listSpecs(spec.project)
      .filter((other) => other.folder !== spec.folder)
      .map(summaryOf),
  };
}

function readRun(request: Request, spec: Spec) {
  const disk = { ...readDisk(spec), layout: voiceFor(request, spec.project.layout) };
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  // What a run that is over took stays as it was.
  const loop =
    disk.state.kind === "absent" && disk.last !== undefined
      ? disk.last.loop
      : currentLoop(state, disk.last, request.now());
  const facts = readSpecFacts(spec, list ?? parseTasks(""));
  return { disk, list, state, loop, facts, brief: planHandOut(spec, list, state, loop) };
}

/** Whether a command that names no spec is about this one. */
export function isCurrent(request: Request, { project, folder }: Spec): boolean {
  const found = findUnnamedSpec(request, project);
  return found.kind === "ok" && found.spec.folder === folder;
}

function progressOf(
  spec: Spec,
  { disk, list, loop, brief, facts }: ReturnType<typeof readRun>,
  isActive: boolean,
  goOn: (() => string) | undefined,
) {
  const { counts } = facts;
  return {
    spec: spec.name,
    path: spec.basePath,
    /** Whether a run, or a phase, is on: paused and waiting ones are. */
    on: disk.state.kind !== "absent",
    ...readStanding(spec, disk, isActive, goOn),
    ...waitingVerify(spec, disk, isActive),
    total: brief.total,
    done: counts.done,
    counts,
    next: brief.current.map(({ id, title, attempt }) => ({ id, title, attempt })),
    maxAttempts: loop.maxAttempts,
    asked:
      list === undefined || disk.inbox === undefined
        ? []
        : pendingIn(disk.inbox, list).map((entry) => ({
            id: entry.id,
            task: entry.task,
            line: describeEntry(entry),
            holds: waitingFor(list, entry).map(({ id }) => id),
          })),
  };
}

/** What waits for the user's approval, and the command that gives it. */
export function readApproval(
  request: Request,
  spec: Spec,
): { readonly text: string; readonly todo: string } | undefined {
  const disk = { ...readDisk(spec), layout: voiceFor(request, spec.project.layout) };
  const { why, approve } = {
    ...readStanding(spec, disk, false),
    ...waitingVerify(spec, disk, false),
  };
  return approve === undefined ? undefined : { text: oneLine(why ?? "", 500), todo: approve };
}

/** Bookkeeping that says nothing to a person. */
export const INTERNAL: ReadonlySet<string> = new Set(["ready", "before", "delegated", "returned"]);

const summaryOf = (spec: Spec): { spec: string; path: string; standing: string; on: boolean } => ({
  spec: spec.name,
  path: spec.basePath,
  standing: standingOf(spec),
  on: existsSync(spec.state),
});

/** A Verify that the user has not approved waits for `approve`, whatever else the run waits for. */
function waitingVerify(
  spec: Spec,
  { layout, state }: Disk,
  isActive: boolean,
): { why?: string; todo?: string; approve?: string } {
  const pending = readAgreement(spec)?.pending ?? [];
  if (pending.length === 0 || state.kind === "absent") return {};
  const resume = state.kind === "ok" && state.state.paused === true;
  const command = (verb: string): string =>
    `${layout.voice.command(verb)}${isActive ? "" : ` ${quoteName(spec.name)}`}`;
  return {
    why: askAbout(layout, pending),
    approve: command("approve"),
    todo: `${command("approve")} approves it${resume ? `, then ${command("resume")} continues` : ""}`,
  };
}

import { EXECUTION, type Phase, slash } from "../core/layout.ts";
import { beginLoop, currentLoop } from "../core/loop.ts";
import { phaseBefore } from "../core/phases.ts";
import type { Raw, State } from "../core/state.ts";
import { oneLine } from "../prompts/template.ts";
import { renderPhase } from "../prompts/workflow.ts";
import { applyWrite, readDisk } from "../store/disk.ts";
import { hasDocument } from "../store/documents.ts";
import { keepOutOfGit } from "../store/exclude.ts";
import { withLock } from "../store/lock.ts";
import type { Spec } from "../store/spec.ts";
import { makeActive } from "./active.ts";
import { CliError, type Context, EXIT, type Input, type Result } from "./command.ts";
import { commitDocument } from "./document-commit.ts";
import { readFacts } from "./facts.ts";
import { isByUser, sessionFor } from "./open.ts";
import { refuseDisabled, refuseFolder, startsAnew } from "./run.ts";

const NO_STATE: { readonly raw: Raw; readonly state: State } = { raw: {}, state: {} };

/** Begins a phase, or takes it up again: the document before it counts as approved. Prints the prompt. */
export function beginPhase(
  context: Context,
  input: Input,
  spec: Spec,
  phase: Phase,
  wishes: Raw = {},
): Result {
  refuseDisabled(spec);
  refuseFolder(spec);
  const { layout } = spec.project;
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const { raw: before, state: old } = disk.state.kind === "ok" ? disk.state : NO_STATE;
    refuseSelfApproval(context, input, spec, phase.name, old);
    const now = context.now();
    const session = sessionFor(context, input);
    const state: State = { ...old, ...wishes };
    const loop = startsAnew(context, input, disk)
      ? beginLoop(session, { ...state, globalIteration: 1 }, disk.last, now)
      : { ...currentLoop(old, disk.last, now), session };
    const { sessionId: _, approvalReason: __, ...kept } = before;
    const raw = {
      ...kept,
      source: kept["source"] ?? "spec",
      name: spec.name,
      basePath: spec.basePath,
      commitSpec: kept["commitSpec"] ?? spec.project.settings.commitSpec,
      ...wishes,
      phase: phase.name,
      globalIteration: loop.iteration,
      awaitingApproval: false,
      paused: false,
      ...(session === null ? {} : { sessionId: session }),
    };
    const previous = phaseBefore(layout, phase);
    const missing = previous !== undefined && !hasDocument(spec, previous.document);
    const notes = [
      ...(disk.state.kind === "corrupt"
        ? [`The old state was unusable (${disk.state.why}) and is written anew.`]
        : []),
      ...(missing ? [`There is no ${previous.document}; this goes on without it.`] : []),
      ...makeActive(context, spec),
    ];
    const approved = previous !== undefined && !missing ? `, ${previous.document} approved` : "";
    applyWrite(
      spec,
      { kind: "ok", raw, state: {} },
      { event: "phase", note: `${phase.name}${approved}`, loop, state: {} },
      now.at,
    );
    // As it was approved: it may have been changed since it was handed in.
    if (previous !== undefined && !missing)
      commitDocument(spec, { commitSpec: raw.commitSpec === true }, previous);
    const visible = keepOutOfGit(spec);
    if (visible !== undefined) notes.push(`Do not commit the state and the journal: ${visible}.`);
    const facts = readFacts(spec, phase, { ...state, ...wishes });
    return {
      text: [...notes, renderPhase(layout, facts)].join("\n\n"),
      json: {
        ok: true,
        spec: spec.name,
        path: spec.basePath,
        phase: phase.name,
        document: phase.document,
        agent: phase.agent,
        quick: facts.quick,
        intent: facts.intent.id,
        session,
        notes,
      },
    };
  });
}

/** An agent may take up its own phase again. To go on to another is the user's to say, or in quick mode the hook's. */
export function refuseSelfApproval(
  context: Context,
  input: Input,
  spec: Spec,
  next: string,
  state: State,
): void {
  if (isByUser(context, input) || state.phase === undefined || state.phase === next) return;
  const command = next === EXECUTION ? "implement" : next;
  throw new CliError(
    EXIT.refused,
    `${spec.name} is in phase ${oneLine(state.phase, 40)}, and it is not yours to go on to ${next}`,
    state.quickMode === true
      ? "end your turn; the next phase is handed to you"
      : `the user goes on with ${slash(spec.project.layout, command)}; end your turn`,
  );
}

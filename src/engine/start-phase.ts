import { EXECUTION, type Phase } from "../layouts/layout.ts";
import { phaseBefore, phaseNamed, phasesOf } from "../layouts/phases.ts";
import { renderPhase } from "../prompts/phase.ts";
import type { Disk } from "../run/decision.ts";
import { withDefaults } from "../run/plan-run.ts";
import { intentOf } from "../spec/intent.ts";
import { USER_WORDS } from "../spec/noted-items.ts";
import { hasDocument, readSmall } from "../store/documents.ts";
import { addProgressItems, hasProgress } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import { counted } from "../text/wording.ts";
import { bindRun } from "./bind-run.ts";
import { beginChecklist } from "./checklists.ts";
import { commitDocument } from "./document-commit.ts";
import { ownTemplates } from "./document-template.ts";
import { tellDueHooks, tellHooks } from "./extension-hooks.ts";
import { beginNotes, noteIntent } from "./notes.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { readFacts } from "./spec-facts.ts";
import type { SpecOptions, Step } from "./step.ts";

/** Starts or resumes a phase: the document before it counts as approved. */
export function startPhase(
  request: Request,
  spec: Spec,
  { name }: Phase,
  { fields, intent, mayAmend, said = "" }: SpecOptions,
): Step {
  const { layout, settings } = spec.project;
  const { commitSpec } = settings;
  return bindRun(request, spec, name, { fields, mayAmend }, (taken) => {
    const { loop } = taken;
    refuseWhileExecuting(spec, taken.disk);
    const known = beginNotes(request, spec, intent);
    const isSmall = readSmall(spec, taken.state);
    const small = isSmall && phaseNamed(layout.shortPhases, name) !== undefined;
    const phases = phasesOf(layout, { small });
    const phase = phaseNamed(phases, name) as Phase;
    const way = small || taken.state.small !== undefined ? { small } : {};
    const state = { ...taken.raw, ...way, phase: name };
    const raw = withDefaults(state, { ...known, commitSpec });
    const previous = phaseBefore(phases, phase);
    const isMissing = previous !== undefined && !hasDocument(spec, previous.document);
    const approved = previous !== undefined && !isMissing ? `, ${previous.document} approved` : "";
    const notes = [
      ...taken.record(raw, { event: "phase", note: `${phase.name}${approved}`, loop, state: {} }),
      ...(isMissing ? [`There is no ${previous.document}; continuing without it.`] : []),
      ...(isSmall && !small ? [`The short way has no phase ${name}: the long way from here.`] : []),
    ];
    // As approved: it may have changed since it was submitted.
    const isAsked = raw["commitSpec"] === true;
    if (previous !== undefined && !isMissing) {
      const commit = commitDocument(spec, { commitSpec: isAsked }, previous);
      if (commit.failed === true) notes.push(`${previous.document}${commit.said}.`);
    }
    // Notes of this phase: they are committed with its own document.
    const fault =
      said === "" ? undefined : addProgressItems(spec, USER_WORDS, [{ phase: name, text: said }]);
    if (fault !== undefined) notes.push(`What the user added is not noted: ${fault}.`);
    const unwritten = beginChecklist(request, spec, phase);
    if (unwritten !== undefined)
      notes.push(`There is no checklist of ${phase.document}: ${unwritten}.`);
    if (intent !== undefined && hasProgress(spec))
      noteIntent(spec, { intent: intentOf(intent), by: "user", confidence: "high" });
    const at = { project: spec.project, spec, step: name };
    const isQuick = raw["quickMode"] === true;
    notes.push(...(isQuick ? tellDueHooks(at, "before") : tellHooks(at)));
    const facts = readFacts(spec, phase, { ...known, ...taken.state, ...way, phase: name });
    return {
      kind: "phase",
      spec,
      prompt: renderPhase(layout, facts, ownTemplates(spec, phase, request.now().at.slice(0, 10))),
      notes,
      phase: phase.name,
      document: phase.document,
      agent: phase.agent,
      quick: facts.quick,
      intent: facts.intent.intent.id,
      confidence: facts.intent.by === "goal" ? facts.intent.confidence : null,
      session: taken.wish.session,
    };
  });
}

/** Going back to a document ends the execution: nobody does that with one word, and perhaps by mistake. */
function refuseWhileExecuting({ name, project }: Spec, { state: file, tasks, last }: Disk): void {
  const state = file.kind === "ok" ? file.state : {};
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  const open = all.filter((task) => !task.checked).length;
  if (state.phase !== EXECUTION || state.paused === true || open === 0) return;
  if (last?.loop.open !== true) return;
  const { command } = project.layout.voice;
  throw new Refusal(
    "refused",
    `the tasks of "${name}" are being worked on, ${open} of ${counted(all.length, "task")} still open`,
    `${command("pause")} pauses the run, then this works; ${command("cancel")} ends it`,
  );
}

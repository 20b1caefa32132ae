import type { Phase } from "../layouts/layout.ts";
import { commandAfter, phaseNamed, phasesOf } from "../layouts/phases.ts";
import { renderBack, renderPhase } from "../prompts/phase.ts";
import { renderCoordinator } from "../prompts/render.ts";
import { renderWritten } from "../prompts/writing.ts";
import { agreeUnseen } from "../run/agreement.ts";
import type { Disk, PhasePrompt } from "../run/decision.ts";
import { planHandOut } from "../run/hand-out.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { LIMITS, type State } from "../run/state.ts";
import { describeChecklist, hasOpen } from "../spec/checklists.ts";
import { readChecklists } from "../store/checklists.ts";
import { readPhases } from "../store/documents.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { writeAgreement } from "../store/vault.ts";
import { locate } from "../tasks/position.ts";
import { counted } from "../text/wording.ts";
import { writeAttempts } from "./attempts.ts";
import { readFindings } from "./check-documents.ts";
import { noteOpen, readGate } from "./checklists.ts";
import { commitDocument } from "./document-commit.ts";
import { ownTemplates } from "./document-template.ts";
import { tellDueHooks } from "./extension-hooks.ts";
import { readNow } from "./now.ts";
import { questionsIn, readFacts } from "./spec-facts.ts";

/** What is wrong with the document of the phase that quick mode is in. */
export function findingsOf(spec: Spec, name: string | undefined): readonly string[] {
  const phase = phaseNamed(spec.project.layout.phases, name);
  return phase === undefined ? [] : readFindings(spec, phase.document);
}

/** What the coordinator is told about the document that an agent has just written. */
export function tellWritten(spec: Spec, state: State, rounds: number): string {
  const { layout } = spec.project;
  const phase = phaseNamed(phasesOf(layout, state), state.phase);
  if (phase === undefined) return "";
  const findings = readFindings(spec, phase.document);
  const isLast = rounds >= LIMITS.documentRounds;
  return renderWritten(layout, {
    spec,
    phase,
    findings,
    isLast,
    left: leftOpen(spec, state, phase),
  });
}

/** Questions for the user that the document asks, and how many items of its checklist are open. */
function leftOpen(spec: Spec, state: State, phase: Phase): string[] {
  const { voice, checklists } = spec.project.layout;
  const asked = phase.questions === undefined ? [] : questionsIn(spec, phase);
  const next = voice.command(commandAfter(readPhases(spec, state), phase));
  const lists = readChecklists(spec).filter(
    (list) =>
      phase.beside?.includes(`${checklists?.folder}/${list.name}`) === true && hasOpen(list),
  );
  return [
    ...(asked.length === 0
      ? []
      : [
          `It asks the user ${counted(asked.length, "question")}: ${asked.map(({ text }) => JSON.stringify(text)).join(", ")}. ${voice.command("clarify")} asks ${asked.length === 1 ? "it" : "them"}, and so does ${next}`,
        ]),
    ...lists.map((list) => `${checklists?.folder}/${describeChecklist(list)}`),
  ];
}

/** The prompt of the next phase, after the previous document is committed; for execution only what precedes it. */
export function drivePhase(spec: Spec, disk: Disk, prompt: PhasePrompt): string {
  const { layout } = spec.project;
  const state: State = disk.state.kind === "ok" ? disk.state.state : {};
  const { brief } = prompt;
  if (prompt.kind === "phase-back") {
    return renderBack(layout, spec, prompt.phase, { ...prompt, iteration: brief.iteration });
  }
  const ended = phaseNamed(phasesOf(layout, state), state.phase);
  const commit = ended === undefined ? undefined : commitDocument(spec, state, ended);
  // Nobody is asked here: the agent reports it at the end.
  const notes = [
    ...(commit?.failed === true ? [`${ended?.document}${commit.said}.`] : []),
    ...hooksBetween(spec, ended?.name, prompt.kind === "phase" ? prompt.phase.name : "implement"),
  ];
  const note = notes.map((line) => `${line}\n\n`).join("");
  if (prompt.kind === "phase") {
    const templates = ownTemplates(spec, prompt.phase, readNow().at.slice(0, 10));
    return note + renderPhase(layout, readFacts(spec, prompt.phase, state), templates);
  }
  // Nobody types implement here: whatever the complete plan contains will be run.
  if (disk.tasks.kind === "ok")
    writeAgreement(spec, { ...agreeUnseen(disk.tasks.list), given: [] });
  // Nor can anybody be asked about open checklists.
  noteOpen(spec, readGate(spec));
  writeAttempts(spec, brief);
  return note;
}

/** What extensions want to be run after one step of quick mode and before the next. */
const hooksBetween = (spec: Spec, ended: string | undefined, next: string): string[] => [
  ...(ended === undefined
    ? []
    : tellDueHooks({ project: spec.project, spec, step: ended }, "after")),
  ...tellDueHooks({ project: spec.project, spec, step: next }, "before"),
];

export function firstTasks(spec: Spec, now: Now): string {
  const { state: file, tasks, last } = readDisk(spec);
  const state: State = file.kind === "ok" ? file.state : {};
  const list = tasks.kind === "ok" ? tasks.list : undefined;
  const loop = currentLoop(state, last, now);
  const brief = planHandOut(spec, list, state, loop, readAllEntries(spec));
  const open = list === undefined ? 0 : locate(list).open.length;
  return renderCoordinator(spec.project.layout, brief, open);
}

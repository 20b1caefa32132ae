import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { indexPage, readIndex } from "../codemap/index-files.ts";
import { relatedFiles } from "../codemap/related.ts";
import type { Phase } from "../layouts/layout.ts";
import { CONSTITUTION, type TemplateFacts } from "../prompts/documents.ts";
import type { PhaseFacts } from "../prompts/phase.ts";
import type { State } from "../run/state.ts";
import { classifyIntent, intentOf } from "../spec/intent.ts";
import { type DocumentPlace, hasDocument, memoryFolder, readGoal } from "../store/documents.ts";
import { readState } from "../store/spec-files.ts";
import { shownPath, type Spec } from "../store/spec.ts";

/** All that the prompt of a phase says about a spec, from its files. */
export function readFacts(spec: Spec, phase: Phase, state: State): PhaseFacts {
  const { layout } = spec.project;
  const { goal, intent, granularity } = goalFacts(spec, state);
  return {
    spec,
    phase,
    goal,
    quick: state.quickMode === true,
    intent,
    granularity,
    documents: layout.phases
      .map(({ document }) => document)
      .filter((document) => hasDocument(spec, document)),
    hints: [...filesToRead(spec, state), ...relatedTo(state), ...filesAbout(spec, phase, goal)],
  };
}

/** What a template is filled with: facts of a spec, or of the project whose constitution it is. */
export function readTemplateFacts(place: Spec | DocumentPlace, date: string): TemplateFacts {
  if (!("state" in place)) {
    const { root, settings } = place.project;
    const { granularity } = settings;
    return { name: basename(root), goal: "", date, intent: intentOf(undefined), granularity };
  }
  const file = readState(place);
  return { name: place.name, date, ...goalFacts(place, file.kind === "ok" ? file.state : {}) };
}

function goalFacts(
  spec: Spec,
  state: State,
): Pick<TemplateFacts, "goal" | "intent" | "granularity"> {
  const goal = readGoal(spec);
  return {
    goal,
    intent: state.intent === undefined ? classifyIntent(goal).intent : intentOf(state.intent),
    granularity: state.granularity ?? spec.project.settings.granularity,
  };
}

function filesToRead(spec: Spec, { epicName }: State): string[] {
  const { project } = spec;
  const { layout, specsDirs } = project;
  const places: [why: string, path: string][] = [
    ["What the user wrote before", join(spec.folder, layout.given)],
    ["Map of the code and of earlier specs", indexPage(project)],
    ["Rules of the project", join(memoryFolder(project).folder, CONSTITUTION)],
    ...(epicName === undefined
      ? []
      : [
          ["Part of an epic", join(specsDirs[0], "_epics", epicName, "epic.md")] as [
            string,
            string,
          ],
        ]),
  ];
  return places
    .filter(([, path]) => existsSync(path))
    .map(([why, path]) => `${why}: ${shownPath(project, path)}`);
}

const MAX_FILES = 5;

/** Where to look first: later, the documents say it better. */
function filesAbout({ project }: Spec, phase: Phase, goal: string): string[] {
  const index = phase === project.layout.phases[0] ? readIndex(project) : undefined;
  const files = index === undefined ? [] : relatedFiles(index, goal, MAX_FILES);
  return files.map(
    ({ path, summary }) => `Perhaps: ${path}${summary === "" ? "" : ` (${summary})`}`,
  );
}

function relatedTo({ relatedSpecs = [] }: State): string[] {
  return relatedSpecs.map(
    ({ name, relevance, reason }) =>
      `Related: ${String(name)} (${String(relevance)}): ${String(reason)}`,
  );
}

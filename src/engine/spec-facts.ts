import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { indexPage, readIndex } from "../codemap/index-files.ts";
import { relatedFiles } from "../codemap/related.ts";
import type { Phase } from "../layouts/layout.ts";
import { phaseBefore } from "../layouts/phases.ts";
import { hasShortTemplate, type TemplateFacts } from "../prompts/documents.ts";
import type { OpenQuestion, PhaseFacts } from "../prompts/phase-facts.ts";
import { isProvisional } from "../run/provisional-name.ts";
import type { State } from "../run/state.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { intentOf, type SpecIntent } from "../spec/intent.ts";
import { OPEN_POINTS, USER_WORDS } from "../spec/noted-items.ts";
import { type NotedPoint, readNotedPoints } from "../spec/open-points.ts";
import { isSmallGoal } from "../spec/small-goal.ts";
import { readClarifications } from "../spec/unresolved.ts";
import {
  type DocumentPlace,
  hasDocument,
  readDocument,
  readGoal,
  readPhases,
  readSmall,
} from "../store/documents.ts";
import { readOwnTemplate } from "../store/own-template.ts";
import { readProgressItems } from "../store/progress.ts";
import { readRules } from "../store/project-rules.ts";
import { readState } from "../store/spec-files.ts";
import { shownPath, type Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";

/** All that the prompt of a phase says about a spec, from its files. */
export function readFacts(spec: Spec, phase: Phase, state: State): PhaseFacts {
  const phases = readPhases(spec, state);
  const { goal, found, granularity, small } = goalFacts(spec, state);
  return {
    spec,
    phase,
    goal,
    quick: state.quickMode === true,
    intent: found,
    granularity,
    small,
    looksSmall:
      // Quick mode has chosen already, and nobody is there to choose.
      state.quickMode !== true &&
      state.small === undefined &&
      phase === phases[0] &&
      !small &&
      isSmallGoal(goal, found),
    isProvisional: isProvisional(spec.project.layout, state) && !hasDocument(spec, phase.document),
    words: readProgressItems(spec, USER_WORDS),
    open: readOpenPoints(spec),
    questions: questionsBefore(spec, phases, phase),
    // All of them: research that was written before the short way was taken is still worth reading.
    documents: spec.project.layout.phases
      .map(({ document }) => document)
      .filter((document) => hasDocument(spec, document)),
    beside: phases
      .flatMap(({ beside = [] }) => beside)
      .filter((name) => existsSync(join(spec.folder, name))),
    hints: [
      ...filesToRead(spec, state),
      ...relatedTo(state),
      ...(phase === phases[0] ? filesAbout(spec, goal) : []),
    ],
  };
}

/** What a document asks the user. */
export function questionsIn(spec: Spec, { document }: Phase): OpenQuestion[] {
  const file = readDocument(spec, document);
  const found = file.kind === "ok" ? readClarifications(file.text) : [];
  return found.map((one) => ({ ...one, document }));
}

/** The document before this phase's may have left questions. */
function questionsBefore(spec: Spec, phases: readonly Phase[], phase: Phase): OpenQuestion[] {
  const before = phaseBefore(phases, phase);
  return before?.questions === undefined ? [] : questionsIn(spec, before);
}

/** What agents reported as open, as far as nobody has deleted it. */
export const readOpenPoints = (spec: Spec): NotedPoint[] =>
  readNotedPoints(readProgressItems(spec, OPEN_POINTS));

/** What a template is filled with: facts of a spec, or of the project whose constitution it is. */
export function readTemplateFacts(
  place: Spec | DocumentPlace,
  date: string,
): TemplateFacts & { readonly quick: boolean } {
  if (!("state" in place)) {
    const { root, settings } = place.project;
    const { granularity } = settings;
    return {
      name: basename(root),
      goal: "",
      date,
      intent: intentOf(undefined),
      granularity,
      small: false,
      path: "",
      quick: false,
    };
  }
  const file = readState(place);
  const state = file.kind === "ok" ? file.state : {};
  const { found, ...facts } = goalFacts(place, state);
  const quick = state.quickMode === true;
  return {
    name: place.name,
    title: readTitle(place),
    path: place.basePath,
    date,
    ...facts,
    intent: found.intent,
    quick,
  };
}

/** `# Feature Specification: Tags on notes` is about tags on notes. */
function readTitle(spec: Spec): string | undefined {
  const file = readDocument(spec, spec.project.layout.requirements);
  const [, title] = (file.kind === "ok" && /^# [^:\n]{1,60}: (\S.*)$/m.exec(file.text)) || [];
  return title === undefined ? undefined : oneLine(title, 100);
}

/** The project's own template of a document, if that is what the spec needs: none of them plans the short way. */
export const ownTemplateOf = (
  { project }: DocumentPlace,
  document: string,
  { small }: Pick<TemplateFacts, "small">,
): string | undefined =>
  small && hasShortTemplate(project.layout, document)
    ? undefined
    : readOwnTemplate(project, document);

/** What kind of work a spec is, and who says so. */
export function readSpecIntent(spec: Spec): SpecIntent & { readonly small: boolean } {
  const file = readState(spec);
  const { found, small } = goalFacts(spec, file.kind === "ok" ? file.state : {});
  return { ...found, small };
}

function goalFacts(
  spec: Spec,
  state: State,
): Pick<TemplateFacts, "goal" | "granularity" | "small"> & { readonly found: SpecIntent } {
  const goal = readGoal(spec);
  return {
    goal,
    found: readIntent(goal, state),
    small: readSmall(spec, state),
    granularity: state.granularity ?? spec.project.settings.granularity,
  };
}

function filesToRead(spec: Spec, { epicName }: State): string[] {
  const { project } = spec;
  const { layout, specsDirs, extras = specsDirs[0] } = project;
  const rules = readRules(project);
  const places: [why: string, path: string][] = [
    ["What the user wrote before", join(spec.folder, layout.given)],
    ["Map of the code and of earlier specs", indexPage(project)],
    ...(rules === undefined ? [] : [["Rules of the project", rules.path] as [string, string]]),
    ...(epicName === undefined
      ? []
      : [["Part of an epic", join(extras, "_epics", epicName, "epic.md")] as [string, string]]),
  ];
  return places
    .filter(([, path]) => existsSync(path))
    .map(([why, path]) => `${why}: ${shownPath(project, path)}`);
}

const MAX_FILES = 5;

/** Where to look first: later, the documents say it better. */
function filesAbout({ project }: Spec, goal: string): string[] {
  const index = readIndex(project);
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

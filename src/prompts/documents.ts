import { CONSTITUTION, type Edition } from "../layouts/layout.ts";
import { phasesOf } from "../layouts/phases.ts";
import { type Intent, shortPlan } from "../spec/intent.ts";
import { dropNumber } from "../spec/name.ts";
import { GRANULARITIES, type Granularity, SHORT_SIZE } from "../tasks/granularity.ts";
import { clean, fill } from "../text/template.ts";
import { capitalize } from "../text/wording.ts";
import checklist from "./templates/checklist.md";
import constitution from "./templates/constitution.md";
import dataModel from "./templates/data-model.md";
import decisions from "./templates/decisions.md";
import design from "./templates/design.md";
import openspecDelta from "./templates/openspec-delta.md";
import openspecDesign from "./templates/openspec-design.md";
import openspecProposal from "./templates/openspec-proposal.md";
import openspecShortProposal from "./templates/openspec-short-proposal.md";
import openspecTasks from "./templates/openspec-tasks.md";
import plan from "./templates/plan.md";
import quickstart from "./templates/quickstart.md";
import requirements from "./templates/requirements.md";
import research from "./templates/research.md";
import shortRequirements from "./templates/short-requirements.md";
import shortSpec from "./templates/short-spec.md";
import specChecklist from "./templates/spec-checklist.md";
import spec from "./templates/spec.md";
import speckitTasks from "./templates/speckit-tasks.md";
import tasks from "./templates/tasks.md";

/** What the first phase asks about the requirements themselves. */
export const OWN_CHECKLIST = "spec-checklist.md";

const TEMPLATES: Readonly<Record<Edition["id"], Readonly<Record<string, string>>>> = {
  specum: {
    "research.md": research,
    "requirements.md": requirements,
    "design.md": design,
    "tasks.md": tasks,
  },
  speckit: {
    [CONSTITUTION]: constitution,
    "spec.md": spec,
    [OWN_CHECKLIST]: specChecklist,
    "plan.md": plan,
    "research.md": decisions,
    "data-model.md": dataModel,
    "quickstart.md": quickstart,
    "tasks.md": speckitTasks,
    "checklist.md": checklist,
  },
  openspec: {
    "proposal.md": openspecProposal,
    "specs/": openspecDelta,
    "design.md": openspecDesign,
    "tasks.md": openspecTasks,
  },
};

/** For the short way, the one planning document. */
const SHORT: typeof TEMPLATES = {
  specum: { "requirements.md": shortRequirements },
  speckit: { "spec.md": shortSpec },
  openspec: { "proposal.md": openspecShortProposal },
};

export const hasShortTemplate = ({ id }: Edition, document: string): boolean =>
  SHORT[id][document] !== undefined;

export const documentsOf = ({ id }: Edition): string[] =>
  Object.keys(TEMPLATES[id]).filter((name) => name !== OWN_CHECKLIST);

/** What is known when a document is written. */
export interface TemplateFacts {
  readonly name: string;
  /** As the requirements document says it, once it does. */
  readonly title?: string | undefined;
  readonly goal: string;
  readonly date: string;
  readonly intent: Intent;
  readonly granularity: Granularity;
  /** On the short way. */
  readonly small: boolean;
  /** The spec's folder, as shown; empty for the project's own document. */
  readonly path: string;
}

/** As much as a reader of a document needs; the whole goal is in .progress.md. */
export const MAX_GOAL = 2000;

/** The template with known facts filled in; the rest is for the writer. Empty if there is no such document. */
export function renderTemplate(
  layout: Edition,
  document: string,
  { name, title, path, goal, date, intent, granularity, small }: TemplateFacts,
): string {
  const { id } = layout;
  const own = small ? SHORT[id][document] : undefined;
  const planning = phasesOf(layout, { small }).slice(0, -1);
  return fill(own ?? TEMPLATES[id][document] ?? "", {
    name,
    title: title ?? (document === layout.requirements ? NO_TITLE : titleOf(name)),
    path: path.replace(/^\.\//, ""),
    date,
    goal: clean(goal).slice(0, MAX_GOAL),
    intent: intent.id,
    granularity: small ? SHORT_SIZE : `${granularity}, ${GRANULARITIES[granularity]}`,
    plan: (small ? shortPlan(intent) : intent.plan)
      .map((phase, i) => `${i + 1} ${phase}`)
      .join("; "),
    input: planning.map((phase) => phase.document).join(" and "),
    design: planning.at(-1)?.document ?? "",
  });
}

/** Whoever writes the document that names the feature finds a better title than its folder has. */
const NO_TITLE = "<its title, in a few words>";

/** `003-rate-limit` as a heading: `Rate limit`. */
export const titleOf = (name: string): string => capitalize(dropNumber(name).replaceAll("-", " "));

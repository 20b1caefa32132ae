import type { Edition } from "../layouts/layout.ts";
import type { Intent } from "../spec/intent.ts";
import { GRANULARITIES, type Granularity } from "../tasks/granularity.ts";
import { clean, fill } from "../text/template.ts";
import checklist from "./templates/checklist.md";
import constitution from "./templates/constitution.md";
import design from "./templates/design.md";
import plan from "./templates/plan.md";
import requirements from "./templates/requirements.md";
import research from "./templates/research.md";
import spec from "./templates/spec.md";
import speckitTasks from "./templates/speckit-tasks.md";
import tasks from "./templates/tasks.md";

/** The only document that belongs to the project, not to a spec. */
export const CONSTITUTION = "constitution.md";

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
    "plan.md": plan,
    "tasks.md": speckitTasks,
    "checklist.md": checklist,
  },
};

export const documentsOf = ({ id }: Edition): string[] => Object.keys(TEMPLATES[id]);

/** What is known when a document is written. */
export interface TemplateFacts {
  readonly name: string;
  readonly goal: string;
  readonly date: string;
  readonly intent: Intent;
  readonly granularity: Granularity;
}

/** As much as a reader of a document needs; the whole goal is in .progress.md. */
const MAX_GOAL = 2000;

/** The template with known facts filled in; the rest is for the writer. Empty if there is no such document. */
export const renderTemplate = (
  { id }: Edition,
  document: string,
  { name, goal, date, intent, granularity }: TemplateFacts,
): string =>
  fill(TEMPLATES[id][document] ?? "", {
    name,
    date,
    goal: clean(goal).slice(0, MAX_GOAL),
    intent: intent.id,
    granularity: `${granularity}, ${GRANULARITIES[granularity]}`,
    plan: intent.plan.map((phase, i) => `${i + 1} ${phase}`).join("; "),
  });

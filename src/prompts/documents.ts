import { GRANULARITIES, type Granularity, type Intent } from "../core/intent.ts";
import type { Layout } from "../core/layout.ts";
import { fill } from "./template.ts";
import checklist from "./templates/checklist.md";
import constitution from "./templates/constitution.md";
import design from "./templates/design.md";
import plan from "./templates/plan.md";
import requirements from "./templates/requirements.md";
import research from "./templates/research.md";
import spec from "./templates/spec.md";
import speckitTasks from "./templates/speckit-tasks.md";
import tasks from "./templates/tasks.md";

const TEMPLATES: Readonly<Record<Layout["id"], Readonly<Record<string, string>>>> = {
  specum: {
    "research.md": research,
    "requirements.md": requirements,
    "design.md": design,
    "tasks.md": tasks,
  },
  speckit: {
    "constitution.md": constitution,
    "spec.md": spec,
    "plan.md": plan,
    "tasks.md": speckitTasks,
    "checklist.md": checklist,
  },
};

export const documentsOf = ({ id }: Layout): string[] => Object.keys(TEMPLATES[id]);

/** What is known when a document is written. */
export interface Known {
  readonly name: string;
  readonly goal: string;
  readonly date: string;
  readonly intent: Intent;
  readonly granularity: Granularity;
}

/** The template with what is known filled in; the rest is the writer's. Empty where there is no such document. */
export const renderTemplate = (
  { id }: Layout,
  document: string,
  { intent, granularity, ...known }: Known,
): string =>
  fill(TEMPLATES[id][document] ?? "", {
    ...known,
    intent: intent.id,
    granularity: `${granularity}, ${GRANULARITIES[granularity]}`,
    plan: intent.plan.map((phase, i) => `${i + 1} ${phase}`).join("; "),
  });

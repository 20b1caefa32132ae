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

export const templateOf = ({ id }: Layout, document: string): string | undefined =>
  TEMPLATES[id][document];

/** The template with what is known filled in; the rest is the writer's. */
export const renderTemplate = (
  template: string,
  known: { readonly name: string; readonly goal: string; readonly date: string },
): string => fill(template, known);

import { planTrace, type Trace } from "../spec/trace.ts";
import { readRequirements } from "../store/documents.ts";
import { readTasks } from "../store/spec-files.ts";
import { shownPath, type Spec } from "../store/spec.ts";
import { readSpecFacts } from "./read-facts.ts";
import { Refusal } from "./refusal.ts";
import { applyBaseline, type KnownProblems } from "./trace-baseline.ts";
import { tasksOf } from "./with-run.ts";

/** A spec, and its trace as far as there is anything to follow. */
export interface SpecTrace extends Trace, KnownProblems {
  readonly spec: string;
  readonly path: string;
  /** Where the requirements are; null if there is no such document. */
  readonly document: string | null;
  /** Why there is nothing to trace. */
  readonly skipped: string | null;
}

/** `recorded`: as for `readSpecFacts`. */
export function traceSpec(
  spec: Spec,
  { recorded = spec, isStrict = false }: { recorded?: Spec | null; isStrict?: boolean } = {},
): SpecTrace {
  const { requirements: name } = spec.project.layout;
  const asked = readRequirements(spec);
  if (asked.unreadable !== undefined) throw new Refusal("broken", asked.unreadable);
  const list = tasksOf(spec, readTasks(spec));
  const plan = planTrace({
    list,
    requirements: asked.requirements,
    facts: readSpecFacts(spec, list, recorded),
    isStrict,
    paths: {
      spec: spec.basePath,
      requirements: `${spec.basePath}/${name}`,
      tasks: shownPath(spec.project, spec.tasks),
    },
  });
  const document = asked.exists ? `${spec.basePath}/${name}` : null;
  const names = { spec: spec.name, path: spec.basePath, document, skipped: null };
  return { ...names, ...plan, ...applyBaseline(spec, plan) };
}

/** One of several specs: if it has no tasks yet, there is nothing to trace. */
export const traceIfPlanned = (spec: Spec, isStrict = false): SpecTrace =>
  isPlanned(spec) ? traceSpec(spec, { isStrict }) : skip(spec);

export function isPlanned(spec: Spec): boolean {
  const tasks = readTasks(spec);
  return tasks.kind !== "absent" && (tasks.kind !== "ok" || tasks.list.tasks.length > 0);
}

const skip = (spec: Spec): SpecTrace => ({
  spec: spec.name,
  path: spec.basePath,
  document: null,
  skipped: "it has no tasks yet",
  requirements: [],
  tasks: [],
  problems: [],
  known: [],
  stale: [],
  unchecked: [],
});

import { comparePlan } from "../spec/compare-plan.ts";
import { lintTasks } from "../tasks/lint/lint.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { readSpecIntent } from "./spec-facts.ts";
import type { TaskFile } from "./task-file.ts";

/** What is wrong with a task list, and where it does not fit the goal of its spec. */
export function lintPlan({ list, spec }: TaskFile): LineDiagnostic[] {
  if (spec === undefined) return lintTasks(list);
  const changeIntent = `\`${spec.project.layout.voice.program} set intent\``;
  const { small, ...found } = readSpecIntent(spec);
  return [...lintTasks(list), ...comparePlan(found, list, { changeIntent, small })];
}

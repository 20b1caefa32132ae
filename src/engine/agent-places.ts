import type { SpecRef } from "../run/hand-out.ts";
import { type ProjectRules, readRules } from "../store/project-rules.ts";
import { shownPath, type Spec } from "../store/spec.ts";

/**
 * Where an agent finds its spec and the project's rules. One that a run starts begins at the project's root, in whichever
 * tree or machine that is; any other begins wherever the coordinator is.
 */
export function placesFor(
  spec: Spec,
  isDriven: boolean,
): { readonly spec: SpecRef; readonly rules: ProjectRules | undefined } {
  const { name, basePath, project } = spec;
  const rules = readRules(project);
  if (!isDriven) return { spec, rules };
  const shown = rules && { ...rules, path: shownPath(project, rules.path) };
  return { spec: { name, basePath }, rules: shown };
}

import { outlookOf, requireProvable } from "../engine/outlook.ts";
import { readyStep } from "../engine/ready-step.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { isExecution, resumeSpec } from "../engine/resume-spec.ts";
import { startRun } from "../engine/start-run.ts";
import { startSpec } from "../engine/start-spec.ts";
import type { Step } from "../engine/step.ts";
import { agreeToAll } from "../run/agreement.ts";
import { LIMITS } from "../run/state.ts";
import { hasOpen } from "../spec/checklists.ts";
import type { Project } from "../store/project.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { parseTasks } from "../tasks/parse.ts";

export interface BeginOptions {
  readonly mayAmend: boolean;
  /** Begin even if checklists have open items. */
  readonly despite: boolean;
}

/**
 * Refuses what `strict` does not let begin, before anything is made for it. A run that goes on began before: only
 * `--strict` itself asks again.
 */
export function refuseToBegin(request: Request, spec: Spec, isAsked: boolean): void {
  const { state: file, last } = readGlance(spec);
  if (last?.loop.open === true && !isAsked) return;
  const tasks = readTasks(spec);
  const isWritten = isExecution(spec, file.kind === "ok" ? file.state : {});
  const list = isWritten && tasks.kind === "ok" ? tasks.list : undefined;
  // Nobody should wait for a plan of which nothing can be proven.
  const outlook = outlookOf(spec.project, list ?? parseTasks(""), list && agreeToAll(list));
  requireProvable(request, spec, outlook);
}

/** Resumes a run that was killed or stopped; otherwise starts one. By typing `run`, the user approves what exists. */
export async function beginSpec(
  request: Request,
  spec: Spec,
  { mayAmend, despite }: BeginOptions,
): Promise<Step> {
  const { state: file, record, last } = readGlance(spec);
  const state = file.kind === "ok" ? file.state : {};
  if (!isExecution(spec, state))
    return resumeSpec(request, spec, { fields: QUICK, intent: undefined, mayAmend });
  const isOn = record !== undefined && last?.loop.open === true;
  const fields = { maxGlobalIterations: turnsFor(spec, state.maxTaskIterations) };
  const how = isOn ? "resume" : "start";
  const step = startRun(request, spec, how, fields, {
    mayAmend: mayAmend || undefined,
    despite,
  });
  if (step.kind === "checklists")
    throw new Refusal(
      "refused",
      `checklists of ${spec.name} have open items: ${step.lists
        .filter(hasOpen)
        .map(({ name }) => name)
        .join(", ")}`,
      "tick them, or add --despite-checklists",
    );
  return readyStep(request, step);
}

/** Starts a spec from a goal: documents are written without approval, as in quick mode, then tasks are executed. */
export function beginGoal(
  request: Request,
  project: Project,
  { name, goal }: { readonly name: string; readonly goal: string },
  { mayAmend }: BeginOptions,
): Spec {
  const { spec } = startSpec(request, project, {
    name,
    goal,
    given: undefined,
    exact: true,
    isProvisional: true,
    folder: undefined,
    options: { fields: QUICK, intent: undefined, mayAmend },
    branch: "none",
    skipFirstPhase: false,
  });
  return spec;
}

const QUICK = { quickMode: true } as const;

/** Every task may use all its attempts, with a decision after each. */
function turnsFor(spec: Spec, attempts: number = LIMITS.maxTaskIterations): number {
  const tasks = readTasks(spec);
  const count = tasks.kind === "ok" ? tasks.list.tasks.length : 0;
  return Math.max(LIMITS.maxGlobalIterations, 2 * count * attempts);
}

import type { Request } from "../engine/request.ts";
import { epicOf } from "../engine/resolve-epic.ts";
import { isExecution } from "../engine/resume-spec.ts";
import { findUntaken } from "../engine/run-trees.ts";
import { readEpicPlan } from "../epic/standing.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { inferPhase, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { isSmallGoal } from "../spec/small-goal.ts";
import { hasDocument, readSmall } from "../store/documents.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { RUNNER_GROUP_LIMIT } from "../tasks/groups.ts";
import type { TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import type { Target } from "./target.ts";

/** What a run would do. */
export interface RunPlan {
  readonly target: string;
  /** Documents that are written first, or the open specs of an epic, in their order. */
  readonly first: readonly string[];
  /** The open tasks in their order; those of one step may be done at the same time. */
  readonly steps: readonly (readonly { readonly id: string; readonly title: string }[])[];
  /** Tasks that wait for the user. */
  readonly waiting: readonly string[];
}

/** The spec where its newest work is, and its list if that is written. */
export function findPlanned(home: Spec): {
  readonly spec: Spec;
  readonly state: State;
  readonly list?: TaskList;
} {
  const spec = findUntaken(home) ?? home;
  const file = readGlance(spec).state;
  const state = file.kind === "ok" ? file.state : {};
  const tasks = readTasks(spec);
  return isExecution(spec, state) && tasks.kind === "ok"
    ? { spec, state, list: tasks.list }
    : { spec, state };
}

export function readRunPlan(request: Request, target: Target): RunPlan {
  if ("epic" in target) {
    const { project, name } = target.epic;
    const { specs } = readEpicPlan(project, epicOf(request, target.epic));
    const open = specs.filter(({ status }) => status !== "completed" && status !== "cancelled");
    return { target: name, first: open.map((one) => one.name), steps: [], waiting: [] };
  }
  const { spec, state, list } = findPlanned(target.spec);
  return {
    target: spec.name,
    first: list === undefined ? listDocuments(spec, state, target.goal) : [],
    steps: list === undefined ? [] : planSteps(list),
    waiting: list === undefined ? [] : locate(list).held.map(({ id }) => id),
  };
}

/** The engine's own order, if every task is done at once. */
function planSteps(list: TaskList): RunPlan["steps"] {
  const steps: RunPlan["steps"][number][] = [];
  for (let { tasks } = list; ;) {
    const { current } = locate({ ...list, tasks, widest: RUNNER_GROUP_LIMIT });
    if (current.length === 0) return steps;
    steps.push(current.map(({ id, title }) => ({ id, title })));
    const done = new Set(current.map(({ index }) => index));
    tasks = tasks.map((task) => (done.has(task.index) ? { ...task, checked: true } : task));
  }
}

function listDocuments(spec: Spec, state: State, goal: string | undefined): string[] {
  const small =
    goal === undefined ? readSmall(spec, state) : isSmallGoal(goal, readIntent(goal, {}));
  const phases = phasesOf(spec.project.layout, { small });
  const at =
    phaseNamed(phases, state.phase) ?? inferPhase(phases, (name) => hasDocument(spec, name));
  return at === EXECUTION ? [] : phases.slice(phases.indexOf(at)).map(({ document }) => document);
}

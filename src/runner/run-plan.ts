import type { Request } from "../engine/request.ts";
import { epicOf } from "../engine/resolve-epic.ts";
import { isExecution } from "../engine/resume-spec.ts";
import { findUntaken } from "../engine/run-trees.ts";
import { readEpicPlan } from "../epic/standing.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { inferPhase, phaseNamed, phasesOf } from "../layouts/phases.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { isSmallGoal } from "../spec/small-goal.ts";
import { hasDocument, readSmall } from "../store/documents.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { RUNNER_GROUP_LIMIT } from "../tasks/groups.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import type { RunOptions } from "./options.ts";
import type { Target } from "./target.ts";

/** What a run would do. */
export interface RunPlan {
  readonly target: string;
  readonly parallel: number;
  /** Documents that are written first. */
  readonly documents: readonly string[];
  /** The open tasks in their order; those of one step may be done at the same time. */
  readonly steps: readonly (readonly { readonly id: string; readonly title: string }[])[];
  readonly done: number;
  /** Tasks that wait for the user. */
  readonly waiting: readonly string[];
  /** The specs of an epic, in their order, with what each waits for. */
  readonly specs: readonly { readonly name: string; readonly after: readonly string[] }[];
  readonly agents: RunOptions["agents"];
}

/** The spec where its newest work is, and its list if that is written. */
export function findPlanned(home: Spec): { readonly spec: Spec; readonly list?: TaskList } {
  const spec = findUntaken(home) ?? home;
  const { state } = readGlance(spec);
  const tasks = readTasks(spec);
  const isWritten = isExecution(spec, state.kind === "ok" ? state.state : {});
  return isWritten && tasks.kind === "ok" ? { spec, list: tasks.list } : { spec };
}

export function readRunPlan(request: Request, target: Target, options: RunOptions): RunPlan {
  const { parallel, agents } = options;
  const common = { parallel, agents, documents: [], steps: [], done: 0, waiting: [], specs: [] };
  if ("epic" in target) {
    const { project, name } = target.epic;
    const { specs } = readEpicPlan(project, epicOf(request, target.epic));
    const open = specs.filter(({ status }) => status !== "completed" && status !== "cancelled");
    const after = open.map((one) => ({
      name: one.name,
      after: one.blockedBy.map((by) => by.name),
    }));
    return { ...common, target: name, specs: after };
  }
  const { spec, list } = findPlanned(target.spec);
  const planned = { ...common, target: spec.name };
  if (list === undefined) return { ...planned, documents: listDocuments(spec, target.goal) };
  const { held } = locate(list);
  return {
    ...planned,
    steps: planSteps(list),
    done: list.tasks.filter(({ checked }) => checked).length,
    waiting: held.map(({ id }) => id),
  };
}

/** The engine's own order, if every task is done at once. */
function planSteps(list: TaskList): RunPlan["steps"] {
  const steps: Task[][] = [];
  const done = new Set<number>();
  for (;;) {
    const tasks = list.tasks.map((task) =>
      done.has(task.index) ? { ...task, checked: true } : task,
    );
    const { current } = locate({ ...list, tasks, widest: RUNNER_GROUP_LIMIT });
    if (current.length === 0)
      return steps.map((step) => step.map(({ id, title }) => ({ id, title })));
    steps.push([...current]);
    for (const { index } of current) done.add(index);
  }
}

function listDocuments(spec: Spec, goal: string | undefined): string[] {
  const { layout } = spec.project;
  const { state: file } = readGlance(spec);
  const state = file.kind === "ok" ? file.state : {};
  const isNew = file.kind === "absent" && goal !== undefined;
  const small = isNew ? isSmallGoal(goal, readIntent(goal, {})) : readSmall(spec, state);
  const phases = phasesOf(layout, { small });
  const at =
    phaseNamed(phases, state.phase) ?? inferPhase(phases, (name) => hasDocument(spec, name));
  return at === EXECUTION ? [] : phases.slice(phases.indexOf(at)).map(({ document }) => document);
}

import type { SpecFacts } from "../facts/spec-facts.ts";
import type { TaskFacts } from "../facts/task-facts.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { isRed, isVerifyTask } from "../tasks/tags.ts";
import { addTo } from "../text/group.ts";
import {
  checkCoverage,
  type CoverageDiagnostic,
  type CoveredRequirement,
  planCoverage,
} from "./coverage.ts";
import { showId } from "./requirement-ids.ts";
import { checkStandings, planStandings, type RequirementStanding } from "./requirement-standing.ts";
import type { Requirement } from "./requirements.ts";
import { checkTask } from "./task-problems.ts";

/** From each requirement to the tasks that meet it, and from each task to what proves it. */
export interface Trace {
  readonly requirements: readonly RequirementTrace[];
  readonly tasks: readonly TaskTrace[];
  readonly problems: readonly TraceProblem[];
  /** Tasks whose receipt names a commit that cannot be checked here. */
  readonly unchecked: readonly string[];
}

export interface RequirementTrace extends Pick<Requirement, "id" | "written" | "title" | "line"> {
  /** Whether it needs a task. */
  readonly required: boolean;
  readonly standing: RequirementStanding;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
  /** Ids of the [VERIFY] tasks that check these. */
  readonly checks: readonly string[];
}

export interface TaskTrace extends Pick<
  TaskFacts,
  | "id"
  | "title"
  | "line"
  | "class"
  | "weakness"
  | "design"
  | "commit"
  | "note"
  | "isUnchecked"
  | "attempts"
  | "refused"
> {
  readonly evidence: readonly Pick<Evidence, "command" | "outcome">[];
  /** Its own commit, or what was checked out when its Verify ran. */
  readonly ranAt: string | null;
  /** `red` proves nothing; `check` is a [VERIFY] task. */
  readonly role: "work" | "red" | "check";
  /** The requirements it meets, as their document writes them. */
  readonly requirements: readonly string[];
}

export interface TraceProblem extends CoverageDiagnostic {
  readonly target: string;
}

export interface TraceSources {
  readonly list: TaskList;
  readonly requirements: readonly Requirement[];
  readonly facts: Pick<SpecFacts, "tasks">;
  /** The spec and the two files, as shown to the user. */
  readonly paths: Readonly<Record<"spec" | "requirements" | "tasks", string>>;
  /** Whether a ticked task has to be proven. */
  readonly isStrict: boolean;
}

export function planTrace({ list, requirements, facts, paths, isStrict }: TraceSources): Trace {
  const coverage = planCoverage(requirements, list);
  const met = metBy(coverage.requirements);
  const tasks = facts.tasks.map((one, i): TaskTrace => {
    const task = list.tasks[i] as Task;
    const role = isVerifyTask(task) ? "check" : isRed(task) ? "red" : "work";
    const { id, title, line, class: is, weakness, design, commit, evidence, isUnchecked } = one;
    return {
      id,
      title,
      line,
      role,
      class: is,
      weakness,
      design,
      commit,
      ranAt: commit ?? (evidence[0]?.commit || null),
      evidence: evidence.map(({ command, outcome }) => ({ command, outcome })),
      // With evidence, the note says the same in words.
      note: evidence.length > 0 ? null : one.note,
      attempts: one.attempts,
      refused: one.refused,
      isUnchecked,
      requirements: met.get(task) ?? [],
    };
  });
  const proof = planStandings(coverage.requirements, (i) => (tasks[i] as TaskTrace).class);
  const problems = [
    ...checkCoverage(coverage),
    ...checkStandings(coverage.requirements, proof),
    ...facts.tasks.flatMap((task) => checkTask(task, isStrict)),
  ];
  return {
    requirements: coverage.requirements.map(({ requirement, tasks: own, checks, isRequired }) => ({
      id: requirement.id,
      written: requirement.written,
      title: requirement.title,
      line: requirement.line,
      required: isRequired,
      standing: proof.get(requirement.id) ?? null,
      tasks: own.map(({ id }) => id),
      checks: checks.map(({ id }) => id),
    })),
    tasks,
    problems: problems.map(({ part, ...one }) => {
      const path = part === undefined ? paths[one.file] : `${paths.spec}/${part}`;
      return { ...one, target: `${path}:${one.line}` };
    }),
    unchecked: tasks.filter(({ isUnchecked }) => isUnchecked).map(({ id }) => id),
  };
}

/** By task, the requirements it meets, as their document writes them. */
function metBy(requirements: readonly CoveredRequirement[]): ReadonlyMap<Task, readonly string[]> {
  const met = new Map<Task, string[]>();
  for (const { requirement, tasks } of requirements)
    for (const task of tasks) addTo(met, task, showId(requirement.written));
  return met;
}

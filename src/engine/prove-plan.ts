import type { CleanTree } from "../git/clean-tree.ts";
import { findCommit } from "../git/own-tree.ts";
import { planVerification } from "../run/claim/verification.ts";
import type { TaskTrace } from "../spec/trace.ts";
import type { Verdict } from "../spec/verdict.ts";
import type { Project } from "../store/project.ts";
import { readTasks } from "../store/spec-files.ts";
import { listSpecs, type Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { isRed } from "../tasks/tags.ts";
import type { Check } from "../tasks/verify/verify.ts";
import { projectIn, specIn, withinRepository } from "./clean-copies.ts";
import type { ProveOptions, ProvenSpec, ProvenTask } from "./prove-spec.ts";
import { Refusal } from "./refusal.ts";
import { isPlanned, traceSpec } from "./trace-spec.ts";
import { tasksOf } from "./with-run.ts";

/** The commands of one task, to be run one after the other in a clean work tree. */
export interface Job {
  readonly checks: readonly Check[];
  readonly commit: string;
  /** The project's folder in the work tree. */
  readonly within: string;
  readonly timeoutSeconds: number;
}

/** A task, and what is to be run for it, if anything. */
interface PlannedTask extends Omit<ProvenTask, "now" | "at"> {
  readonly job: Job | undefined;
}

interface PlannedSpec extends Omit<ProvenSpec, "tasks"> {
  readonly tasks: readonly PlannedTask[];
}

/** What each spec has to prove, by the lists and receipts in a clean work tree. */
export const readProofs = (
  specs: readonly Spec[],
  tree: CleanTree,
  options: ProveOptions,
): PlannedSpec[] =>
  readPairs(specs, tree, options.isAll).map((pair) => planSpec(pair, tree, options));

/** A spec here, there, or both. */
interface Pair {
  readonly here: Spec | undefined;
  readonly there: Spec | undefined;
}

function readPairs(specs: readonly Spec[], tree: CleanTree, isAll: boolean): Pair[] {
  const projects = new Map(
    specs.map(({ project }) => [project, projectIn(tree, project)] as const),
  );
  const pairs = specs.map((here): Pair => ({
    here,
    there: specIn(projects.get(here.project) as Project, here),
  }));
  if (!isAll) return pairs.map(requireCommitted(tree));
  const seen = new Set(pairs.map(({ there }) => there?.folder));
  const others = [...projects.values()].flatMap(listSpecs);
  const gone = others.filter(({ folder }) => !seen.has(folder) && seen.add(folder));
  return [...pairs, ...gone.map((there) => ({ here: undefined, there }))];
}

const requireCommitted =
  ({ commit }: CleanTree) =>
  (pair: Pair): Pair => {
    if (pair.there !== undefined) return pair;
    const { basePath } = pair.here as Spec;
    throw new Refusal("missing", `${basePath} is not in ${commit.slice(0, 9)}`, "commit it first");
  };

function planSpec({ here, there }: Pair, tree: CleanTree, options: ProveOptions): PlannedSpec {
  const { name: spec, basePath: path } = (there ?? here) as Spec;
  const skip = (skipped: string): PlannedSpec => ({ spec, path, skipped, tasks: [] });
  if (there === undefined) return skip(`it is not in ${tree.commit.slice(0, 9)}: commit it first`);
  if (!isPlanned(there)) return skip("it has no tasks yet");
  const list = tasksOf(there, readTasks(there));
  // Only the user's own copy has a journal.
  const { tasks: traced } = traceSpec(there, { recorded: here ?? null });
  const tasks = list.tasks.flatMap((task, i) =>
    task.checked
      ? [planTask(there.project, list, task, traced[i] as TaskTrace, tree, options)]
      : [],
  );
  return {
    spec,
    path,
    skipped:
      tasks.length === 0
        ? "no task is ticked in this commit (ticks count once tasks.md is committed)"
        : null,
    tasks,
  };
}

function planTask(
  project: Project,
  list: TaskList,
  task: Task,
  { class: is, commit, note, ranAt }: TaskTrace,
  tree: CleanTree,
  { atReceipt, timeoutSeconds }: ProveOptions,
): PlannedTask {
  const { id, title, line } = task;
  const planned = { id, title, line, recorded: { class: is, commit, note } };
  const skip = (verdict: Verdict, why: string | undefined): PlannedTask => ({
    ...planned,
    verdict,
    why: why ?? null,
    job: undefined,
  });
  const settings = { ...project.settings, evidence: "required" } as const;
  const { checks, barred, note: why } = planVerification(list, task, settings);
  if (barred !== undefined) return skip("not-allowed", why);
  if (checks.length === 0) return skip("nothing-to-run", why);
  const named = atReceipt ? ranAt : null;
  // Git would read other text as a branch.
  const own = /^[0-9a-f]{7,64}$/.test(named ?? "") ? findCommit(tree.top, `${named}`) : undefined;
  if (named !== null && own === undefined)
    return skip("not-run", `the commit of its receipt, ${named}, is not in this repository`);
  if (isRed(task) && own === undefined)
    return skip("red", "its test fails only before the work; --receipt runs it at its own commit");
  const job: Job = {
    checks,
    commit: own ?? tree.commit,
    within: withinRepository(project),
    timeoutSeconds: timeoutSeconds ?? settings.verifyTimeoutSeconds,
  };
  return { ...planned, verdict: "not-run", why: null, job };
}

import { readOutlook } from "../engine/outlook.ts";
import { readSpecFacts } from "../engine/read-facts.ts";
import { describeOutlook } from "../facts/outlook.ts";
import type { TaskClass } from "../run/claim/verdict.ts";
import { planVerification } from "../run/claim/verification.ts";
import type { Entry } from "../run/journal.ts";
import { isInconclusive } from "../run/review.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { oneLine, showCommand } from "../text/template.ts";
import type { Coordinator } from "./coordinator.ts";
import type { TaskLine } from "./events.ts";
import type { RunGround } from "./ground.ts";
import type { Job } from "./jobs.ts";
import type { About, Stage } from "./stage.ts";

/** Emits what happens to a spec as events. */
export interface Teller {
  /** Emits what can be proven, the list if it has changed, and tasks that were done without an agent. */
  readonly plan: () => void;
  readonly verifying: (job: Job) => void;
  /** Which attempt at a task was accepted; 0 if no agent was needed, or if it was done before this run. */
  readonly attemptAt: (task: string) => number;
  /** Emits the engine's verdict on a report, or why there was no report. */
  readonly verdict: (
    job: Job,
    entry: Entry | undefined,
    said?: { readonly reason?: string; readonly isClaimed?: boolean },
  ) => void;
}

export function openTeller(
  { emit }: Pick<Stage, "emit">,
  coordinator: Coordinator,
  trunk: Pick<RunGround, "branch" | "cwd">,
  isInEpic = false,
): Teller {
  const { spec } = coordinator;
  const aboutOf = ({ id, attempt }: Job): About => ({ spec: spec.name, task: id, attempt });
  const told = new Set<string>();
  const believed = new Map<string, number>();
  const ownRuns = new Set<string>();
  let before = "";
  let hasOutlook = false;

  /** Once, before the first task: the documents of a goal come before that. */
  const tellOutlook = (): void => {
    if (hasOutlook || !coordinator.isExecuting()) return;
    hasOutlook = true;
    const outlook = readOutlook(spec);
    if (outlook === undefined) return;
    const text = `${isInEpic ? `${spec.name} has ` : ""}${describeOutlook(outlook)}`;
    emit({ kind: "note", text, outlook });
  };

  const tellDone = (about: About, entry: Entry): void => {
    told.add(about.task);
    believed.set(about.task, about.attempt);
    const entries = readAllEntries(spec).filter(({ task }) => task === about.task);
    const trial = entries.findLast(({ event }) => event === "before")?.evidence;
    const evidence = entry.evidence ?? [];
    emit({
      kind: "done",
      ...about,
      before:
        trial === undefined || trial.length === 0
          ? "unknown"
          : trial.every(({ outcome }) => outcome === "passed")
            ? "passed"
            : "failed",
      after:
        evidence.length > 0 && evidence.every(({ outcome }) => outcome === "passed")
          ? "passed"
          : "unknown",
      // What it did; if it has no commit of its own, what it was checked on.
      commit: (entry.commits?.at(-1) ?? evidence.at(-1)?.commit ?? "").slice(0, 10) || null,
      ...proofIn(entry),
    });
  };

  /** A Verify that was run without an agent, and failed. */
  const tellOwnRuns = (list: TaskList, isFirst: boolean): void => {
    for (const { id, tries } of readSpecFacts(spec, list).tasks)
      for (const { at, end, reason } of tries) {
        if (end !== "by-program" || ownRuns.has(`${id} ${at}`)) continue;
        ownRuns.add(`${id} ${at}`);
        const about = { spec: spec.name, task: id, attempt: 0, claimed: false } as const;
        if (!isFirst) emit({ kind: "refused", ...about, reason: oneLine(reason ?? "", 500) });
      }
  };

  return {
    plan() {
      tellOutlook();
      const { list } = coordinator;
      const tasks = linesOf(spec, list);
      if (list !== undefined) tellOwnRuns(list, before === "");
      const now = JSON.stringify(tasks);
      if (now === before) return;
      const isFirst = before === "";
      before = now;
      const { branch, cwd } = trunk;
      emit({ kind: "plan", spec: spec.name, branch, tree: cwd, tasks });
      const done = tasks.filter(({ id, state }) => state === "done" && !told.has(id));
      for (const { id } of done) {
        told.add(id);
        if (isFirst) continue;
        const entry = readAllEntries(spec).findLast(
          ({ task, event }) => task === id && event === "done",
        );
        if (entry !== undefined) tellDone({ spec: spec.name, task: id, attempt: 0 }, entry);
      }
    },

    attemptAt: (task) => believed.get(task) ?? 0,

    verifying(job) {
      const list = coordinator.list;
      const task = list?.tasks.find(({ id }) => id === job.id);
      if (list === undefined || task === undefined) return;
      const { checks } = planVerification(list, task, spec.project.settings);
      for (const { command } of checks)
        emit({ kind: "verifying", ...aboutOf(job), command: showCommand(command) });
    },

    verdict(job, entry, { reason, isClaimed = true } = {}) {
      const about = aboutOf(job);
      if (entry?.event === "done") return tellDone(about, entry);
      if (job.role === "planning" || job.role === "review") {
        if (job.role === "review" && (isInconclusive(entry?.note) || reason !== undefined))
          emit({ kind: "refused", ...about, reason: oneLine(reason ?? entry?.note ?? "", 500) });
        if (entry?.event === "refused")
          emit({ kind: "refused", ...about, reason: oneLine(entry.note ?? "", 500) });
        return undefined;
      }
      const why = oneLine(entry?.note ?? reason ?? "", 500);
      const claimed = isClaimed ? {} : ({ claimed: false } as const);
      return emit({ kind: "refused", ...about, reason: why, ...claimed });
    },
  };
}

function linesOf(spec: Spec, list: TaskList | undefined): TaskLine[] {
  if (list === undefined) return [];
  const { tasks } = readSpecFacts(spec, list);
  return list.tasks.map((task, i) => ({
    id: task.id,
    title: oneLine(task.title, 200),
    state: stateOf(task, tasks[i]?.class, list.held),
    class: tasks[i]?.class ?? "open",
  }));
}

/** The tasks of a spec, read from its file. */
export function listLines(spec: Spec): TaskLine[] {
  const file = readTasks(spec);
  return linesOf(spec, file.kind === "ok" ? file.list : undefined);
}

const proofIn = ({ verdict }: Entry): { class?: TaskClass; weakness?: string } => {
  if (verdict === undefined) return {};
  const { class: is, weakness } = verdict;
  return weakness === null ? { class: is } : { class: is, weakness };
};

function stateOf(
  { id, checked }: Task,
  is: TaskClass | undefined,
  held: ReadonlySet<string> | undefined,
): TaskLine["state"] {
  if (checked) return "done";
  if (is === "skipped") return "skipped";
  return held?.has(id) === true ? "waits" : "open";
}

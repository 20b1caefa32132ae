import { type Spent, spentByPurpose, spentOn } from "../run/cost.ts";
import type { Amendment } from "../run/journal.ts";
import { type Counts, countClasses, listUnproven } from "./classify.ts";
import { planTasks, type TaskFacts, type TaskSources } from "./task-facts.ts";

/** What happened in a spec. Every view renders this, and computes none of it. */
export interface SpecFacts {
  readonly spec: string;
  readonly tasks: readonly TaskFacts[];
  readonly counts: Counts;
  /** Tasks that keep it from being a success once all are done. */
  readonly unproven: readonly string[];
  /** How the Verify of tasks was changed during the run. */
  readonly amendments: readonly Amendment[];
  readonly spent: Spent | null;
  readonly spentByPurpose: ReturnType<typeof spentByPurpose>;
}

export function planFacts(spec: string, sources: TaskSources): SpecFacts {
  const { entries } = sources;
  const tasks = planTasks(sources);
  return {
    spec,
    tasks,
    counts: countClasses(tasks),
    unproven: listUnproven(tasks),
    amendments: entries.flatMap(({ amendment }) => amendment ?? []),
    spent: spentOn(entries),
    spentByPurpose: spentByPurpose(entries),
  };
}

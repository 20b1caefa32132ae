import { headOf } from "../git/own-tree.ts";
import { renderInstructions } from "../prompts/driven.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import type { TaskList } from "../tasks/model.ts";
import { choicesFor, relievedOf } from "./choices.ts";
import type { WorkOrder } from "./executor.ts";
import type { Job } from "./jobs.ts";
import type { KeptLease } from "./keep-lease.ts";
import type { Stage } from "./stage.ts";

/** Whose order it is. */
interface Orderer {
  readonly stage: Stage;
  readonly lease: Pick<KeptLease, "fence">;
  readonly coordinator: { readonly spec: Spec; readonly list?: TaskList | undefined };
}

/** The order for an attempt at a job, which begins at what is in `root`. */
export function planOrder(
  { stage, lease, coordinator: { spec, list } }: Orderer,
  job: Job,
  root: string,
  prompt: string,
): WorkOrder {
  const about = { spec: spec.name, task: job.id, attempt: job.attempt };
  const agents = choicesFor(stage, about, job);
  const relieved = relievedOf(stage, about, job, agents);
  const task = list?.tasks.find(({ id }) => id === job.id);
  return {
    ...about,
    run: stage.run,
    fence: lease.fence,
    base: headOf(root) ?? null,
    role: job.role,
    title: job.title,
    of: job.of,
    prompt,
    instructions: renderInstructions(spec.project.layout, job.type),
    agents,
    ...(relieved === undefined ? {} : { relieved }),
    limits: stage.limits,
    files: list === undefined || task === undefined ? [] : parseFiles(list, task),
    decided: (job.role === "merge" ? undefined : list?.decided?.get(job.id)) ?? [],
  };
}

import { type AgentChoice, formatChoice } from "../run/agent-choice.ts";
import type { WorkOrder } from "./executor.ts";
import { failsAlike, orderAgents } from "./give-up.ts";
import type { Job } from "./jobs.ts";
import type { About, Stage } from "./stage.ts";

export const taskKey = ({ spec, task }: Pick<About, "spec" | "task">): string => `${spec} ${task}`;

/** The agents for an attempt, in the order in which they are tried. None: nobody has moved anything. */
export function choicesFor(
  { choose, tried }: Pick<Stage, "choose" | "tried">,
  about: Pick<About, "spec" | "task">,
  { role, of }: Job,
): readonly AgentChoice[] {
  const wanted = choose(role);
  if (role === "review" || role === "merge") return wanted;
  const next = { task: taskKey(about), attempts: of };
  return orderAgents(tried, wanted.map(formatChoice), next).flatMap((name) =>
    wanted.filter((one) => formatChoice(one) === name),
  );
}

/** Who made the last attempt at the task and does not make this one, and why. */
export function relievedOf(
  { tried }: Pick<Stage, "tried">,
  about: Pick<About, "spec" | "task">,
  { role }: Job,
  choices: readonly AgentChoice[],
): WorkOrder["relieved"] {
  const task = taskKey(about);
  const from = tried.findLast((one) => one.task === task)?.by;
  if (from === undefined || role === "merge") return undefined;
  if (choices.every((one) => formatChoice(one) !== from))
    return { from, why: "it has moved nothing in two tasks, and gets no other" };
  return failsAlike(tried, task, from) ? { from, why: "it has failed twice alike" } : undefined;
}

import type { Agent } from "../agents/port.ts";
import { formatChoice } from "../run/agent-choice.ts";
import type { Role } from "./events.ts";
import { failsAlike, orderAgents } from "./give-up.ts";
import type { Job } from "./jobs.ts";
import type { RunOptions } from "./options.ts";
import type { About, Choice, Stage } from "./stage.ts";

/** As `--agent` names it. */
export const nameOf = ({ agent, model }: Choice): string =>
  formatChoice({ agent: agent.id, ...(model === undefined ? {} : { model }) });

export const taskKey = ({ spec, task }: Pick<About, "spec" | "task">): string => `${spec} ${task}`;

/** The agents for an attempt, in the order in which they are tried. None: nobody is left for it. */
export function choicesFor(
  { choose, tried }: Pick<Stage, "choose" | "tried">,
  about: Pick<About, "spec" | "task">,
  { role, of, verify }: Job,
): readonly Choice[] {
  const wanted = choose(role);
  if (role === "review" || role === "merge") return wanted;
  const next = { task: taskKey(about), attempts: of, verify };
  return orderAgents(tried, wanted.map(nameOf), next).flatMap((name) =>
    wanted.filter((one) => nameOf(one) === name),
  );
}

/** Who made the last attempt at the task and does not make this one, and why. */
export function relievedOf(
  { tried }: Pick<Stage, "tried">,
  about: Pick<About, "spec" | "task">,
  { role }: Job,
  choices: readonly Choice[],
): { readonly from: string; readonly why: string } {
  const task = taskKey(about);
  const from = tried.findLast((one) => one.task === task)?.by;
  if (from === undefined || role === "merge") return NOBODY;
  if (choices.every((one) => nameOf(one) !== from))
    return { from, why: "its attempts at two tasks ended alike, and it gets no other" };
  return failsAlike(tried, task, from) ? { from, why: "it has failed twice alike" } : NOBODY;
}

const NOBODY = { from: "", why: "" };

/** The agents for a role, in the order in which they are tried. */
export const chooseFor = (
  { agents: wanted, model }: RunOptions,
  agents: readonly Agent[],
  role: Role,
): readonly Choice[] =>
  wanted[role].length === 0
    ? agents.map((agent) => (model === undefined ? { agent } : { agent, model }))
    : wanted[role].flatMap((choice) => {
        const agent = agents.find(({ id }) => id === choice.agent);
        return agent === undefined
          ? []
          : [choice.model === undefined ? { agent } : { agent, model: choice.model }];
      });

import { readProgress } from "../../engine/read-status.ts";
import { commandFor, isInClient } from "../../engine/request.ts";
import { fateIn } from "../../engine/standing.ts";
import { ALL_TASKS_COMPLETE } from "../../run/signal.ts";
import { lastCommand } from "../../runner/go-on.ts";
import { readGlance } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { groupOf } from "../../tasks/groups.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { locate } from "../../tasks/position.ts";
import { allOf, capitalize } from "../../text/wording.ts";
import type { Context } from "./command.ts";

/** What follows a change of the run, for whoever made it: an agent ends its turn, for a person the run is elsewhere. */
export const goesOn = (context: Context, spec: Spec): string =>
  isInClient(context)
    ? "End your turn; the loop continues."
    : `${atNextTurn(context, spec, "The run continues with that") ?? "Nothing else is due"}.`;

/** The same, with what is next in the list. */
export function tellNext(context: Context, spec: Spec, list: TaskList): string {
  if (isInClient(context)) return whatFollows(list);
  const { total, current, held } = locate(list);
  const [first] = current;
  const inbox = commandFor(context, spec.project.layout, "inbox");
  if (first === undefined && held.length > 0)
    return `Everything else waits for you: ${inbox} shows it.`;
  const { all, are } = allOf(total, "task");
  const what = first === undefined ? `${capitalize(all)} ${are} done` : `Next is ${first.id}`;
  const then = atNextTurn(context, spec, first === undefined ? "the run ends" : "the run does it");
  return `${what}${then === undefined ? "" : `; ${then}`}.`;
}

/** When the run does something: at its next turn or, if nobody drives it, after a command. Undefined if it is over. */
function atNextTurn(context: Context, spec: Spec, what: string): string | undefined {
  const goOn = (): string => lastCommand(spec.project.root, spec.name);
  const { standing, todo } = readProgress(context, spec, goOn);
  return standing === "running" ? `${what} at its next turn` : (todo ?? undefined);
}

/** What has to be done, as `status` says it, before a spec goes on that `run` drove and nobody drives now. */
export function todoOfIdle(context: Context, spec: Spec): string | undefined {
  const fate = fateIn(readGlance(spec));
  if (fate === undefined || fate.kind === "at-work") return undefined;
  return atNextTurn(context, spec, "");
}

/** What to do after a task: `done` says it, so that the coordinator need not remember. */
export function whatFollows(list: TaskList, task?: Task): string {
  const { total, current, held } = locate(list);
  const [first] = current;
  if (first === undefined && held.length > 0)
    return "Everything else waits for the user: tell them so, and end your turn.";
  if (first === undefined) return nothingLeft(total);
  const group = task === undefined ? [] : groupOf(list, task);
  const out = group.filter((one) => current.includes(one));
  return out.length > 0
    ? `Handed out with it: ${out.map(({ id }) => id).join(", ")}. Report that too.`
    : `Next is ${first.id}; end your turn to get it.`;
}

export function nothingLeft(total: number): string {
  const { all, are } = allOf(total, "task");
  return `${capitalize(all)} ${are} done. Say ${ALL_TASKS_COMPLETE} on a line of its own and end your turn.`;
}

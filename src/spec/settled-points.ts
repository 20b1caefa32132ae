import type { Task, TaskList } from "../tasks/model.ts";
import { ID, indexIds, maskCode } from "../tasks/references.ts";
import { planCoverage } from "./coverage.ts";
import { findIds, resolveIds } from "./requirement-ids.ts";
import type { Requirement } from "./requirements.ts";

const TASK_ID = new RegExp(String.raw`(?<![\w.-])${ID}`, "g");
/** What makes a number after it a task's: in "TLS 1.2" it is a version. */
const LEAD = /(?:^|\btasks?\s?|[([`]|^[a-z]{1,20}: |\b(?:OPEN|CONFLICT|RISK): )$/i;
const JOINT = /^(?:,|, and|, or| and| or| to|-|–| -| –| &|\/) ?$/;

/**
 * Whether the work has settled a point of the notes: it names tasks or requirements, and every one that it names is
 * done. What may be a task's id and is open keeps it open, too.
 */
export function pointSettler(
  list: TaskList,
  requirements: readonly Requirement[],
  isDone: (task: Task) => boolean,
): (point: string) => boolean {
  const { index } = indexIds(list);
  const taskAt = (id: string): Task | undefined => list.tasks[index.get(id.toLowerCase()) ?? -1];
  const covered = planCoverage(requirements, list).requirements;
  const tasksOf = new Map(covered.map(({ requirement, tasks }) => [requirement.id, tasks]));
  const isMet = (id: string): boolean => {
    const tasks = tasksOf.get(id) ?? [];
    return tasks.length > 0 && tasks.every(isDone);
  };
  return (point) => {
    const text = maskCode(point);
    const references = findIds(text).map((one) => resolveIds(one, new Set(tasksOf.keys())));
    const { named, isSure } = findTasks(text, taskAt);
    return (
      (isSure || references.length > 0) &&
      named.every(isDone) &&
      references.every(({ ids, unknown }) => unknown.length === 0 && ids.every(isMet))
    );
  };
}

/** `isSure`: at least one of them can only be meant as a task. */
function findTasks(
  text: string,
  taskAt: (id: string) => Task | undefined,
): { readonly named: readonly Task[]; readonly isSure: boolean } {
  const named: Task[] = [];
  let sureTo = -1;
  for (const { 0: id, index } of text.matchAll(TASK_ID)) {
    const task = taskAt(id);
    if (task === undefined) continue;
    named.push(task);
    const isNext = sureTo !== -1 && JOINT.test(text.slice(sureTo, index));
    if (isNext || LEAD.test(text.slice(0, index)) || /^T\d{3}/i.test(id))
      sureTo = index + id.length;
  }
  return { named, isSure: sureTo !== -1 };
}

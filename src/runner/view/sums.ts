import { sumSpent } from "../../run/cost.ts";
import { type AttemptView, isCurrent, isWaitingForUser, tasksIn, type ViewModel } from "./model.ts";

/** The time of an attempt, without the time between attempts: limits, pauses, questions. */
const spanOf = ({ began, last }: AttemptView, now: number): [number, number] => {
  const start = Date.parse(began);
  return [start, Math.max(start, Math.min(now, Date.parse(last)))];
};

const lengthOf = (attempt: AttemptView, now: number): number => {
  const [start, end] = spanOf(attempt, now);
  return end - start;
};

/** Agents' time on a task, in all its attempts. */
export const workTime = (attempts: readonly AttemptView[], now: number): number =>
  attempts.reduce((sum, one) => sum + lengthOf(one, now), 0);

/** A frame asks for every task, so each list of attempts is grouped only once. */
const byTask = new WeakMap<readonly AttemptView[], Map<string, AttemptView[]>>();

const keyOf = (spec: string, task: string): string => `${spec}\n${task}`;

export function attemptsAt(
  { attempts }: Pick<ViewModel, "attempts">,
  spec: string,
  task: string,
): readonly AttemptView[] {
  const known = byTask.get(attempts) ?? new Map<string, AttemptView[]>();
  if (!byTask.has(attempts)) {
    for (const one of attempts) {
      const key = keyOf(one.spec, one.task);
      const others = known.get(key);
      if (others === undefined) known.set(key, [one]);
      else others.push(one);
    }
    byTask.set(attempts, known);
  }
  return known.get(keyOf(spec, task)) ?? [];
}

export interface Forecast {
  /** Milliseconds from now. */
  readonly ms: number;
  /** The total, including what is already spent; null if a cost is unknown. */
  readonly usd: number | null;
  /** How many finished tasks it is made from. */
  readonly basis: number;
}

/** Fewer finished tasks say too little. */
const MIN_BASIS = 2;

/**
 * What is left, estimated from the finished tasks of this run: their median, times the open tasks, divided by how many
 * agents have worked at the same time. Undefined if too little is known, nothing is left to do, or the run only waits.
 */
export function forecast(model: ViewModel, now: number): Forecast | undefined {
  const all = tasksIn(model).map(({ spec, task }) => ({
    task,
    attempts: attemptsAt(model, spec, task.id),
  }));
  const done = all.filter(({ task, attempts }) => task.state === "done" && attempts.length > 0);
  const open = all.filter(({ task }) => task.state === "open");
  if (model.paused || isWaitingForUser(model)) return undefined;
  if (model.ended !== null || done.length < MIN_BASIS || open.length === 0) return undefined;
  const perTask = medianOf(done.map(({ attempts }) => workTime(attempts, now)));
  const remaining = open.map(({ attempts }) => {
    const current = attempts.filter(isCurrent);
    const used = current.reduce((sum, { began }) => sum + Math.max(0, now - Date.parse(began)), 0);
    return Math.max(0, perTask - used);
  });
  const ms = remaining.reduce((sum, one) => sum + one, 0) / concurrency(model, now);
  const wait = model.waiting === null ? 0 : Math.max(0, Date.parse(model.waiting.until) - now);
  return {
    ms: ms + (Number.isFinite(wait) ? wait : 0),
    usd: totalCost(model, done, open.length),
    basis: done.length,
  };
}

function totalCost(
  { attempts, meter }: ViewModel,
  done: readonly { readonly attempts: readonly AttemptView[] }[],
  open: number,
): number | null {
  const costs = done.flatMap((one) => sumSpent(one.attempts).usd ?? []);
  const { usd } = sumSpent(meter.uses);
  if (usd === null || costs.length < done.length) return null;
  const current = sumSpent(attempts.filter(isCurrent)).usd ?? 0;
  return usd + Math.max(0, medianOf(costs) * open - current);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

/** How many agents worked at the same time, on average while any did; never more than are allowed. */
function concurrency({ attempts, parallel }: ViewModel, now: number): number {
  const spans = attempts.map((one) => spanOf(one, now)).sort((a, b) => a[0] - b[0]);
  const work = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  let busy = 0;
  let until = -Infinity;
  for (const [start, end] of spans) {
    busy += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return busy === 0 ? 1 : Math.min(Math.max(1, work / busy), Math.max(1, parallel));
}

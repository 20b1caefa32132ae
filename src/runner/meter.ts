import { NOTHING, type Spent, sumSpent } from "../run/cost.ts";
import type { RunEvent, UsedBefore } from "./events.ts";
import { laterOf, spentIn } from "./spent.ts";

export interface Task {
  readonly spec: string;
  readonly task: string;
}

/** One start of an agent: after a limit or a crash, one attempt needs several. */
export interface Start extends Task {
  readonly attempt: number;
  readonly agent?: string;
}

interface Use extends Required<Start> {
  readonly spent: Spent;
  readonly began: number;
  readonly ended: number | undefined;
}

/** What the agents of a run have used. Times are in milliseconds since 1970. */
export interface Meter {
  /** Undefined before it begins. */
  readonly began: number | undefined;
  readonly ended: number | undefined;
  /** The time of the last event. */
  readonly last: number;
  /** How long it took before it was killed and begun again. */
  readonly earlierMs: number;
  readonly uses: readonly Use[];
}

export const startMeter = (began?: number): Meter => ({
  began,
  ended: undefined,
  last: began ?? 0,
  earlierMs: 0,
  uses: [],
});

export function noteStart(meter: Meter, start: Start, began: number): Meter {
  const { spec, task, attempt, agent = "" } = start;
  const use = { spec, task, attempt, agent, spent: NOTHING, began, ended: undefined };
  return { ...meter, uses: [...meter.uses, use] };
}

/** `spent` is all that this start has used so far. */
export function noteUse(meter: Meter, start: Start, spent: Spent, now: number): Meter {
  const begun = findUse(meter, start) === -1 ? noteStart(meter, start, now) : meter;
  return changeUse(begun, start, (use) => ({ spent: laterOf(use.spent, spent) }));
}

export const noteEnd = (meter: Meter, start: Start, now: number): Meter =>
  changeUse(meter, start, (use) => ({ ended: use.ended ?? Math.max(now, use.began) }));

/** The last one of this attempt: only one agent works on it at a time. */
const findUse = ({ uses }: Meter, { spec, task, attempt }: Start): number =>
  uses.findLastIndex((use) => use.task === task && use.attempt === attempt && use.spec === spec);

function changeUse(meter: Meter, start: Start, change: (use: Use) => Partial<Use>): Meter {
  const index = findUse(meter, start);
  const use = meter.uses[index];
  if (use === undefined) return meter;
  return { ...meter, uses: meter.uses.with(index, { ...use, ...change(use) }) };
}

/** The meter after an event of the run. If a start is missing in a damaged log, its use still counts. */
export function countEvent(meter: Meter, event: RunEvent): Meter {
  const time = Date.parse(event.at);
  const last = Number.isNaN(time) ? meter.last : time;
  const next = { ...meter, last };
  switch (event.kind) {
    case "run-started":
      return event.before === undefined
        ? continueMeter(meter, last)
        : restoreMeter(event.before, last);
    case "run-ended":
      return { ...next, ended: last };
    case "attempt-started":
      return noteStart(next, event, last);
    case "usage":
      return noteUse(next, event, spentIn(event.spent), last);
    case "attempt-ended":
      return noteEnd(noteUse(next, event, spentIn(event.spent), last), event, last);
    default:
      return next;
  }
}

/** A run that was killed goes on, without its agents. After one that has ended, the next has a new budget. */
function continueMeter(meter: Meter, now: number): Meter {
  const { last, uses } = meter;
  if (meter.ended !== undefined) return startMeter(now);
  return {
    ...startMeter(now),
    earlierMs: timeSpent(meter, last),
    uses: uses.map((use) => ({ ...use, ended: use.ended ?? Math.max(last, use.began) })),
  };
}

/** The meter of a run that continues killed ones, from their events. */
export const resumeMeter = (events: readonly RunEvent[], now: number): Meter =>
  continueMeter(events.reduce(countEvent, startMeter()), now);

/** What a run that begins continues, for its first event; undefined if that is nothing. */
export const usedBefore = ({ earlierMs, uses }: Meter): UsedBefore | undefined =>
  uses.length === 0 && earlierMs === 0
    ? undefined
    : {
        ms: earlierMs,
        starts: uses.map(({ spent, began, ended = began, ...start }) => ({
          ...start,
          spent: { ...spent, ms: ended - began },
        })),
      };

const restoreMeter = ({ ms, starts }: UsedBefore, now: number): Meter => ({
  ...startMeter(now),
  earlierMs: ms,
  uses: starts.map((use) => ({ ...use, began: now - (use.spent.ms ?? 0), ended: now })),
});

const usesOf = ({ uses }: Meter, task: Task | undefined): readonly Use[] =>
  task === undefined
    ? uses
    : uses.filter((use) => use.spec === task.spec && use.task === task.task);

/**
 * What counts for one task, or for the whole run. Some agents report their cost only at their end; until then, a token
 * counts as much as it cost in their earlier starts.
 */
export function totalSpent(meter: Meter, task?: Task): Spent {
  const uses = usesOf(meter, task);
  const guesses = uses.flatMap(({ agent, ended, spent }) => {
    const rate = spent.usd === null && ended === undefined ? usdPerToken(meter, agent) : undefined;
    return rate === undefined ? [] : [{ spent: { ...NOTHING, usd: rate * (spent.tokens ?? 0) } }];
  });
  return sumSpent([...uses, ...guesses]);
}

function usdPerToken({ uses }: Meter, agent: string): number | undefined {
  const known = uses.filter(
    (use) => use.agent === agent && use.ended !== undefined && (use.spent.usd ?? 0) > 0,
  );
  const { usd, tokens } = sumSpent(known);
  return usd === null || tokens === null ? undefined : usd / tokens;
}

/** A run's time is wall-clock time, waiting included; a task's is how long its agents worked. */
export function timeSpent(meter: Meter, now: number, task?: Task): number {
  if (task === undefined) return meter.earlierMs + ownTime(meter, now);
  return usesOf(meter, task).reduce(
    (sum, { began, ended }) => sum + Math.max((ended ?? now) - began, 0),
    0,
  );
}

/** Without the time of the runs that it continues. */
export const ownTime = ({ began, ended }: Meter, now: number): number =>
  began === undefined ? 0 : Math.max((ended ?? now) - began, 0);

import { type Counts, countClasses } from "../facts/classify.ts";
import { tellSetback } from "../facts/setback.ts";
import type { Summary } from "../facts/summary.ts";
import type { TaskFacts } from "../facts/task-facts.ts";
import { planWaiting, type Waiting, type WaitingFacts } from "../facts/waiting.ts";
import { type Spent, spentOn, sumSpent } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import { few } from "../text/wording.ts";
import { budgetLeft } from "./budget.ts";
import type { Budget } from "./events.ts";
import { ownTime } from "./meter.ts";
import { doneIn, usedBefore } from "./report-earlier.ts";
import type { RunStatus } from "./run-status.ts";
import { describeEnding } from "./view/endings.ts";
import {
  type AttemptView,
  classIn,
  EMPTY,
  isCurrent,
  type TaskView,
  type ViewModel,
} from "./view/model.ts";
import { attemptsAt, workTime } from "./view/sums.ts";
import { goOnIn, waitingIn } from "./view/waiting.ts";

/** What the spec's own files say, which takes precedence over the run's events. */
export interface KnownSpec {
  readonly facts: Summary;
  readonly entries: readonly Entry[];
  /** Without it, the run's events say what waits. */
  readonly waiting?: WaitingFacts;
}

type Figures = Pick<Spent, "usd" | "sources"> & { readonly tokens: number };

/** Who worked on it, and in how many attempts: in all runs, and in a client. */
type Known = Pick<TaskFacts, "id" | "title" | "class" | "weakness" | "note" | "commit"> &
  Pick<TaskFacts, "agents" | "models" | "attempts">;

export interface TaskReport extends Known, Figures {
  readonly spec: string;
  readonly state: TaskView["state"];
  /** When it was done, relative to this run; null if it is not done. */
  readonly done: "now" | "before" | "since" | null;
  /** Why it took more than one attempt, or is not done. */
  readonly setback: string | null;
  /** Why claims were refused in this run, or agents did not end normally; oldest first. */
  readonly refusals: readonly { readonly attempt: number; readonly reason: string }[];
  readonly before: "failed" | "passed" | "unknown" | null;
  readonly after: "passed" | "unknown" | null;
  /** What was run to prove it. */
  readonly commands: readonly string[];
  /** This, and the figures: this run's work. */
  readonly ms: number;
}

/** The morning report. */
export interface Report extends Figures {
  readonly run: string;
  readonly epic: string | null;
  /** Null while the run goes on, or if its end was not recorded. */
  readonly status: RunStatus | null;
  /** When its process died, if it did. */
  readonly died: string | null;
  readonly text: string;
  readonly specs: readonly {
    readonly name: string;
    readonly branch: string | null;
    readonly tree: string;
  }[];
  readonly counts: Counts;
  /** Tasks that keep a finished run from being a success. */
  readonly unproven: readonly string[];
  readonly tasks: readonly TaskReport[];
  /** These, and the figures: this run alone. */
  readonly ms: number;
  readonly byAgent: readonly (Figures & { readonly agent: string; readonly starts: number })[];
  /** What is left of each bound, killed runs counted that it continues. */
  readonly left: Budget;
  /** What was used before it, in other runs or in a client; null if unknown. */
  readonly earlier: Spent | null;
  readonly assumptions: readonly string[];
  readonly waiting: readonly Waiting[];
  /** The command that continues the run. */
  readonly goOn: string;
}

/** What the specs' files say, and what a run adds to it. */
export interface Page {
  readonly specs: readonly Summary[];
  readonly report: Report;
}

/** The page of a spec that no run on this machine has worked on. */
export function planPage(facts: Summary, waiting: WaitingFacts): Page {
  const tasks = facts.tasks.map(({ id, title, done }): TaskView => {
    const unknown = { before: null, after: null, commit: null, doneAt: null };
    return { id, title, state: done ? "done" : "open", ...unknown };
  });
  const model = { ...EMPTY, specs: [{ name: facts.spec, branch: null, tree: "", tasks }] };
  return { specs: [facts], report: planReport(model, [{ facts, entries: [], waiting }], 0) };
}

export function planReport(
  model: ViewModel,
  known: readonly KnownSpec[],
  now: number,
  died: string | null = null,
): Report {
  const diedAt = model.ended === null ? died : null;
  const unproven = known.flatMap(({ facts }) => facts.unproven);
  const ended =
    known.length === model.specs.length && unproven.length === 0
      ? sinceAccepted(model.ended)
      : model.ended;
  const tasks = model.specs.flatMap(({ name, tasks: lines }) => {
    const own = known.find(({ facts }) => facts.spec === name);
    return lines.map((line) => reportOn(model, name, line, own, now));
  });
  return {
    run: model.run,
    epic: model.epic,
    status: ended?.status ?? null,
    died: diedAt,
    text: ended?.text ?? (diedAt === null ? tellNow(model) : ""),
    specs: model.specs.map(({ name, branch, tree }) => ({ name, branch, tree })),
    counts: countClasses(tasks),
    unproven,
    tasks,
    ms: ownTime(model.meter, now),
    ...figuresOf(model.attempts),
    byAgent: byAgent(model.attempts),
    left: budgetLeft(model.meter, model.budget, now),
    earlier: spentOn(known.flatMap((one) => usedBefore(one, model))),
    assumptions: known.flatMap(({ facts }) => facts.assumptions),
    waiting: planWaiting(
      model.specs.map((spec) => {
        const { waiting: own, entries = [] } =
          known.find(({ facts }) => facts.spec === spec.name) ?? {};
        const told = waitingIn(model, spec, diedAt);
        // A run that died before it began has left nothing in the spec's files.
        const began = Date.parse(model.began ?? "");
        const isUnknown = diedAt !== null && !entries.some(({ at }) => Date.parse(at) >= began);
        return own === undefined || !isUnknown || own.tasks.every(({ ticked }) => ticked)
          ? (own ?? told)
          : { ...own, stopped: own.stopped ?? told.stopped };
      }),
    ),
    goOn: goOnIn(model),
  };
}

/** The user has accepted what was not proven when the run ended. */
const sinceAccepted = (ended: ViewModel["ended"]): ViewModel["ended"] =>
  ended?.status === "unproven" ? { ...ended, status: "finished", text: "" } : ended;

/** What it is doing. */
function tellNow({ waiting, attempts }: ViewModel): string {
  if (waiting !== null) return `waits: ${waiting.why}`;
  const current = unique(attempts.filter(isCurrent).map(({ task }) => task));
  return current.length === 0 ? "" : `now at ${few(current)}`;
}

function figuresOf(attempts: readonly AttemptView[]): Figures {
  const { tokens, usd, sources } = sumSpent(attempts);
  return { tokens: tokens ?? 0, usd, sources };
}

function reportOn(
  model: ViewModel,
  spec: string,
  line: TaskView,
  known: KnownSpec | undefined,
  now: number,
): TaskReport {
  const attempts = attemptsAt(model, spec, line.id);
  const receipt = known?.facts.tasks.find(({ id }) => id === line.id);
  const done = receipt?.class === "failed" ? null : doneIn(model, line, receipt);
  const tried = receipt ?? {
    id: line.id,
    done: line.state === "done",
    attempts: unique(attempts.map(({ attempt }) => attempt)).length,
    tries: attempts.flatMap(({ reason }) =>
      reason === null ? [] : { end: "refused" as const, reason },
    ),
  };
  return {
    spec,
    id: line.id,
    title: line.title,
    state: receipt?.done === true ? "done" : line.state,
    // The run's tree may be gone before its work was taken: then only its events know.
    class:
      receipt === undefined || (receipt.class === "open" && line.state === "done")
        ? classIn(line)
        : receipt.class,
    weakness: receipt?.weakness ?? null,
    done,
    agents: unique([...(receipt?.agents ?? []), ...attempts.map(({ agent }) => agent)]),
    models: unique([...(receipt?.models ?? []), ...attempts.flatMap((one) => one.model ?? [])]),
    attempts: tried.attempts,
    setback: tellSetback(tried, attempts.flatMap(endingOf)),
    refusals: attempts.flatMap((one) =>
      [...endingOf(one), one.reason].flatMap((reason) =>
        reason === null ? [] : { attempt: one.attempt, reason },
      ),
    ),
    before: endOf(receipt?.before, "failed" as const) ?? line.before,
    after: endOf(receipt?.evidence, "unknown" as const) ?? line.after,
    note: receipt?.note ?? null,
    commands: receipt?.evidence.map(({ command }) => command) ?? [],
    commit: receipt?.commit ?? line.commit,
    ms: workTime(attempts, now),
    ...figuresOf(attempts),
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** How all of it ended; null if there is nothing. */
const endOf = <T>(ran: TaskFacts["evidence"] = [], other: T): T | "passed" | null =>
  ran.length === 0 ? null : ran.every(({ outcome }) => outcome === "passed") ? "passed" : other;

/** How an agent ended without a report, unless the run itself ended it. */
function endingOf({ reason, ending, agent }: AttemptView): string[] {
  if (reason !== null || ending === null || ending.kind === "turn") return [];
  if (ending.kind !== "stopped") return [`${agent}: ${describeEnding(ending)}`];
  return ["user", "budget"].includes(ending.by) ? [] : [`${agent} ${describeEnding(ending)}`];
}

const byAgent = (attempts: readonly AttemptView[]): Report["byAgent"] =>
  unique(attempts.map(({ agent }) => agent)).map((agent) => {
    const own = attempts.filter((one) => one.agent === agent);
    return { agent, starts: own.length, ...figuresOf(own) };
  });

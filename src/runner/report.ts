import { type Counts, countClasses } from "../facts/classify.ts";
import type { SpecFacts } from "../facts/spec-facts.ts";
import type { TaskFacts } from "../facts/task-facts.ts";
import type { TaskClass } from "../run/claim/verdict.ts";
import { type Spent, spentOn, sumSpent } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import { budgetLeft } from "./budget.ts";
import type { Budget, RunStatus } from "./events.ts";
import { ownTime } from "./meter.ts";
import { doneIn, usedBefore } from "./report-earlier.ts";
import { goOnIn, type Waiting, waitingIn } from "./report-waiting.ts";
import { describeEnding } from "./view/endings.ts";
import { type AttemptView, classIn, type TaskView, type ViewModel } from "./view/model.ts";
import { attemptsAt, workTime } from "./view/sums.ts";

/** What the spec's own files say, which takes precedence over the run's events. */
export interface KnownSpec {
  readonly facts: SpecFacts;
  readonly entries: readonly Entry[];
  readonly assumptions: readonly string[];
  /** Questions of the inbox that wait no longer: answered, or about a task that is done or gone. */
  readonly settled: readonly number[];
}

type Figures = Pick<Spent, "usd" | "sources"> & { readonly tokens: number };

export interface TaskReport extends Figures {
  readonly spec: string;
  readonly id: string;
  readonly title: string;
  readonly state: TaskView["state"];
  readonly class: TaskClass;
  readonly weakness: string | null;
  /** When it was done, relative to this run; null if it is not done. */
  readonly done: "now" | "before" | "since" | null;
  /** From here to `ms`, and the figures: this run's work; for a task done before it, who did it and in how many attempts. */
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly attempts: number;
  /** Why claims were refused, or agents did not end normally; oldest first. */
  readonly refusals: readonly { readonly attempt: number; readonly reason: string }[];
  readonly before: "failed" | "passed" | "unknown" | null;
  readonly after: "passed" | "unknown" | null;
  /** Why nothing was run, or another note. */
  readonly note: string | null;
  /** What was run to prove it. */
  readonly commands: readonly string[];
  readonly commit: string | null;
  readonly ms: number;
}

/** The morning report. */
export interface Report extends Figures {
  readonly run: string;
  /** Null while the run goes on, or if its end was not recorded. */
  readonly status: RunStatus | null;
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

export function planReport(model: ViewModel, known: readonly KnownSpec[], now: number): Report {
  const tasks = model.specs.flatMap(({ name, tasks: lines }) => {
    const own = known.find(({ facts }) => facts.spec === name);
    return lines.map((line) => reportOn(model, name, line, own, now));
  });
  return {
    run: model.run,
    status: model.ended?.status ?? null,
    text: model.ended?.text ?? "",
    specs: model.specs.map(({ name, branch, tree }) => ({ name, branch, tree })),
    counts: countClasses(tasks),
    unproven: known.flatMap(({ facts }) => facts.unproven),
    tasks,
    ms: ownTime(model.meter, now),
    ...figuresOf(model.attempts),
    byAgent: byAgent(model.attempts),
    left: budgetLeft(model.meter, model.budget, now),
    earlier: spentOn(known.flatMap((one) => usedBefore(one, model))),
    assumptions: known.flatMap(({ assumptions }) => assumptions),
    waiting: waitingIn(model, tasks, known),
    goOn: goOnIn(model),
  };
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
  const who =
    done === "before"
      ? usedBefore(known, model, line.id).flatMap(({ cost }) => cost ?? [])
      : attempts;
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
    agents: unique(who.flatMap(({ agent }) => agent ?? [])),
    models: unique(who.flatMap(({ model: name }) => name ?? [])),
    attempts:
      done === "before"
        ? (receipt?.attempts ?? 0)
        : new Set(attempts.map(({ attempt }) => attempt)).size,
    refusals: attempts.flatMap(refusalOf),
    before: beforeOf(receipt) ?? line.before,
    after: afterOf(receipt) ?? line.after,
    note: receipt?.note ?? null,
    commands: receipt?.evidence.map(({ command }) => command) ?? [],
    commit: receipt?.commit ?? line.commit,
    ms: workTime(attempts, now),
    ...figuresOf(attempts),
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const beforeOf = (receipt: TaskFacts | undefined): TaskReport["before"] => {
  if (receipt === undefined || receipt.before.length === 0) return null;
  return receipt.before.every(({ outcome }) => outcome === "passed") ? "passed" : "failed";
};

const afterOf = (receipt: TaskFacts | undefined): TaskReport["after"] => {
  if (receipt === undefined || receipt.evidence.length === 0) return null;
  return receipt.evidence.every(({ outcome }) => outcome === "passed") ? "passed" : "unknown";
};

function refusalOf({ attempt, reason, ending, agent }: AttemptView): TaskReport["refusals"] {
  if (reason !== null) return [{ attempt, reason }];
  const how = ending === null ? "" : describeEnding(ending);
  const who = ending?.kind === "stopped" ? agent : `${agent}:`;
  return how === "" ? [] : [{ attempt, reason: `${who} ${how}` }];
}

const byAgent = (attempts: readonly AttemptView[]): Report["byAgent"] =>
  unique(attempts.map(({ agent }) => agent)).map((agent) => {
    const own = attempts.filter((one) => one.agent === agent);
    return { agent, starts: own.length, ...figuresOf(own) };
  });

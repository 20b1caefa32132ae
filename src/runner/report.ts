import { isWord } from "../run/claim/receipt-check.ts";
import { BY_HAND, type ReceiptLine } from "../run/claim/receipt.ts";
import { type Spent, spentOn } from "../run/cost.ts";
import type { Entry } from "../run/journal.ts";
import { quoteForShell } from "../text/quote.ts";
import { counted, SHELL_PROGRAM } from "../text/wording.ts";
import type { CostSource, RunStatus } from "./events.ts";
import { goOnCommand } from "./go-on.ts";
import { doneIn, usedBefore } from "./report-earlier.ts";
import { BRANCH_PREFIX } from "./trees/record.ts";
import { describeEnding } from "./view/endings.ts";
import { type AttemptView, openQuestions, type TaskView, type ViewModel } from "./view/model.ts";
import { attemptsAt, elapsedOf, type Sum, sumOf, workTime } from "./view/sums.ts";

/** What the spec's own files say; receipt and journal take precedence over the run's events. */
export interface SpecFacts {
  readonly name: string;
  readonly receipt: readonly ReceiptLine[];
  readonly entries: readonly Entry[];
  readonly assumptions: readonly string[];
}

export interface TaskReport {
  readonly spec: string;
  readonly id: string;
  readonly title: string;
  readonly state: TaskView["state"];
  /** When it was done, relative to this run; null if it is not done. */
  readonly done: "now" | "before" | "since" | null;
  /** From here to `sources`: this run's work; for a task done before it, who did it and in how many attempts. */
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
  readonly tokens: number;
  readonly usd: number | null;
  readonly sources: readonly CostSource[];
}

/** Whether it was ticked by hand before this run. */
export const isGiven = ({ done, note }: TaskReport): boolean => done === "before" && isWord(note);

/** Whether it was, and the last check found that it does not hold. */
const isUnheld = (task: TaskReport): boolean =>
  isGiven(task) && task.note !== BY_HAND && task.after !== "passed";

/** Something that only a person can do, and how. */
export interface Waiting {
  readonly what: string;
  readonly todo: string;
}

/** The morning report. */
export interface Report {
  readonly run: string;
  /** Null while the run goes on, or if its end was not recorded. */
  readonly status: RunStatus | null;
  readonly text: string;
  readonly specs: readonly {
    readonly name: string;
    readonly branch: string | null;
    readonly tree: string;
  }[];
  readonly done: number;
  readonly total: number;
  readonly tasks: readonly TaskReport[];
  /** From here to `byAgent`: this run alone. */
  readonly ms: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly sources: readonly CostSource[];
  readonly byAgent: readonly {
    readonly agent: string;
    readonly starts: number;
    readonly tokens: number;
    readonly usd: number | null;
  }[];
  /** What was used before it, in other runs or in a client; null if unknown. */
  readonly earlier: Spent | null;
  readonly assumptions: readonly string[];
  readonly waiting: readonly Waiting[];
  /** The command that continues the run. */
  readonly goOn: string;
}

export function planReport(model: ViewModel, facts: readonly SpecFacts[], now: number): Report {
  const tasks = model.specs.flatMap(({ name, tasks: lines }) => {
    const known = facts.find((one) => one.name === name);
    return lines.map((line) => reportOn(model, name, line, known, now));
  });
  const sum = sumOf(model.attempts);
  return {
    run: model.run,
    status: model.ended?.status ?? null,
    text: model.ended?.text ?? "",
    specs: model.specs.map(({ name, branch, tree }) => ({ name, branch, tree })),
    done: tasks.filter((task) => task.state === "done" && !isUnheld(task)).length,
    total: tasks.length,
    tasks,
    ms: elapsedOf(model, now),
    tokens: totalTokens(sum),
    usd: sum.usd,
    sources: sum.sources,
    byAgent: byAgent(model.attempts),
    earlier: spentOn(facts.flatMap((one) => usedBefore(one, model))),
    assumptions: facts.flatMap(({ assumptions }) => assumptions),
    waiting: waitingIn(model, tasks),
    goOn: goOnIn(model),
  };
}

const totalTokens = ({ tokens }: Sum): number => tokens.input + tokens.output;

function reportOn(
  model: ViewModel,
  spec: string,
  line: TaskView,
  facts: SpecFacts | undefined,
  now: number,
): TaskReport {
  const attempts = attemptsAt(model, spec, line.id);
  const receipt = facts?.receipt.find(({ id }) => id === line.id);
  const spent = sumOf(attempts);
  const done = doneIn(model, line, receipt);
  const who =
    done === "before"
      ? usedBefore(facts, model, line.id).flatMap(({ cost }) => cost ?? [])
      : attempts;
  return {
    spec,
    id: line.id,
    title: line.title,
    state: receipt?.done === true ? "done" : line.state,
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
    tokens: totalTokens(spent),
    usd: spent.usd,
    sources: spent.sources,
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const beforeOf = (receipt: ReceiptLine | undefined): TaskReport["before"] => {
  if (receipt === undefined || receipt.before.length === 0) return null;
  return receipt.before.every((one) => one === "passed") ? "passed" : "failed";
};

const afterOf = (receipt: ReceiptLine | undefined): TaskReport["after"] => {
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
    const sum = sumOf(own);
    return { agent, starts: own.length, tokens: totalTokens(sum), usd: sum.usd };
  });

const goOnIn = ({ epic, specs, options }: ViewModel): string =>
  goOnCommand(epic === null ? specs.map(({ name }) => name) : [epic], options);

/** In the order in which the user would deal with it. */
function waitingIn(model: ViewModel, tasks: readonly TaskReport[]): Waiting[] {
  const many = model.specs.length > 1;
  const name = (spec: string): string => (many ? `${spec} ` : "");
  const questions = openQuestions(model).map(({ spec, task, id, text, options }) => ({
    what: `Question ${id} (${name(spec)}${task}): ${text}${options.length === 0 ? "" : ` [${options.join(" / ")}]`}`,
    todo: `${SHELL_PROGRAM} answer ${id} ${quoteForShell(options[0] ?? "…")}`,
  }));
  const open = tasks.filter(({ state }) => state !== "done");
  const skipped = open.filter(({ state }) => state === "skipped");
  const failed = open.filter(({ state, refusals }) => state === "open" && refusals.length > 0);
  const done = tasks.length - open.length;
  const unheld = tasks.filter(isUnheld);
  return [
    ...questions,
    ...unheld.map(({ spec, id, note }) => ({
      what: `${name(spec)}${id} was ${note}`,
      todo: `${SHELL_PROGRAM} evidence ${quoteForShell(id)}`,
    })),
    ...failed.map(({ spec, id, refusals }) => ({
      what: `${name(spec)}${id} is not done: ${refusals.at(-1)?.reason ?? ""}`,
      todo: `${SHELL_PROGRAM} logs --run ${model.run} --task ${quoteForShell(id)}`,
    })),
    ...skipped.map(({ spec, id, title }) => ({
      what: `${name(spec)}${id} was skipped by you: ${title}`,
      todo: `${SHELL_PROGRAM} inbox`,
    })),
    ...(open.length > 0 && model.ended !== null && model.ended.status !== "finished"
      ? [
          {
            what: `${counted(open.length, "task")} of ${tasks.length} ${open.length === 1 ? "is" : "are"} not done`,
            todo: goOnIn(model),
          },
        ]
      : []),
    ...(done > 0
      ? branchesOf(model).map(({ name: word, branch }) => ({
          what: `What is done is on ${branch}`,
          todo: `${SHELL_PROGRAM} take ${quoteForShell(word)}`,
        }))
      : []),
  ];
}

/** Branches of runs, which can be taken; with `--here` the work is where it belongs. For an epic, only its own branch, once a spec has been merged into it. */
function branchesOf({ epic, specs }: ViewModel): { name: string; branch: string }[] {
  const all = specs.flatMap(({ name, branch }) =>
    branch?.startsWith(BRANCH_PREFIX) === true ? [{ name, branch }] : [],
  );
  if (epic === null) return all;
  const merged = all.find(({ name, branch }) => !branch.endsWith(`.${name}`));
  return merged === undefined ? [] : [{ ...merged, name: epic }];
}

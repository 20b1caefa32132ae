import { numberOptions } from "../run/answers.ts";
import type { InboxEntry } from "../run/inbox.ts";
import { quoteForShell } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { capitalize, counted, few, SHELL_PROGRAM } from "../text/wording.ts";
import type { TaskFacts } from "./task-facts.ts";

/** Something that only the user can settle, and the command that does. */
export interface Waiting {
  readonly kind:
    | "approval"
    | "question"
    /** A task that was done, and no longer holds. */
    | "failed"
    /** Tasks that are done, and nothing shows it. */
    | "unproven"
    | "skipped"
    /** A run that is over before its tasks are. */
    | "stopped"
    /** Finished work that is not in the user's own branch. */
    | "branch";
  readonly spec: string;
  readonly tasks: readonly string[];
  /** The number of its entry in the inbox. */
  readonly id?: number;
  readonly what: string;
  /** Why a run stopped, for a view that does not say so anyway. */
  readonly why?: string;
  readonly todo: string;
}

/** What is known of a spec that decides what waits in it, from its files or from a run's events. */
export interface WaitingFacts {
  readonly spec: string;
  /** A command as the reader types it; a spec that is not the active one has to be named. */
  readonly command: (verb: string) => string;
  readonly isActive: boolean;
  readonly approval?: { readonly text: string; readonly todo: string } | undefined;
  /** What of its inbox waits. */
  readonly entries: readonly Pick<InboxEntry, "id" | "kind" | "task" | "text" | "options">[];
  readonly tasks: readonly Pick<TaskFacts, "id" | "title" | "class" | "ticked" | "note">[];
  readonly unproven: readonly string[];
  /** Set if nobody works on it any more: what continues it, and why it stopped. */
  readonly stopped?: { readonly goOn: string; readonly why: string | null } | undefined;
  /** The branch of a run that is over, and what `take` calls it. */
  readonly branch?: { readonly name: string; readonly branch: string } | undefined;
  /** The branch of a run whose work tree is gone, and what checks it out again. */
  readonly lost?: { readonly branch: string; readonly goOn: string } | undefined;
}

/** Everything that waits for the user in these specs, in the order in which they would deal with it. Every view renders this. */
export function planWaiting(specs: readonly WaitingFacts[]): Waiting[] {
  return [
    ...specs.flatMap(approvalOf),
    ...specs.flatMap(questionsOf),
    ...specs.flatMap(failedOf),
    ...specs.flatMap(unprovenOf),
    ...specs.flatMap(skippedOf),
    ...stoppedIn(specs),
    ...specs.flatMap(lostOf),
    ...branchesIn(specs),
  ];
}

const inSpec = ({ spec, isActive }: WaitingFacts): string =>
  isActive ? "" : ` --spec ${quoteForShell(spec)}`;

const approvalOf = ({ spec, approval }: WaitingFacts): Waiting[] =>
  approval === undefined
    ? []
    : [
        {
          kind: "approval",
          spec,
          tasks: [],
          what: `Waits for your approval${approval.text === "" ? "" : `: ${oneLine(approval.text, 500)}`}`,
          todo: approval.todo,
        },
      ];

/** What is asked is data, often an agent's: it stands in quotes. An option is chosen by its number: "3" may be the first one. */
const questionsOf = ({ spec, entries, command }: WaitingFacts): Waiting[] =>
  entries
    .filter(({ kind }) => kind === "question")
    .map(({ id, task, text, options }) => ({
      kind: "question",
      spec,
      tasks: [task],
      id,
      what: `Question ${id} (${task}): "${oneLine(text, 1000)}"${options.length === 0 ? "" : ` [${numberOptions({ options })}]`}`,
      todo: `${command("answer")} ${id} ${options.length === 0 ? "…" : 1}`,
    }));

const failedOf = ({ spec, tasks }: WaitingFacts): Waiting[] =>
  tasks
    .filter((task) => task.class === "failed" && task.ticked)
    .map(({ id, note }) => ({
      kind: "failed",
      spec,
      tasks: [id],
      what: `${id} does not hold: ${note}`,
      todo: `${SHELL_PROGRAM} evidence ${quoteForShell(id)} --spec ${quoteForShell(spec)}`,
    }));

function unprovenOf(facts: WaitingFacts): Waiting[] {
  const { spec, command, unproven } = facts;
  if (unproven.length === 0) return [];
  const was = unproven.length === 1 ? "was" : "were";
  const what = `Nothing shows that ${few(unproven)} ${was} done. To accept it:`;
  const todo = `${command("accept")} ${unproven.map(quoteForShell).join(" ")}${inSpec(facts)}`;
  return [{ kind: "unproven", spec, tasks: unproven, what, todo }];
}

const skippedOf = (facts: WaitingFacts): Waiting[] =>
  facts.entries
    .filter(({ kind }) => kind === "skip")
    .map(({ id, task, text }) => {
      const title = facts.tasks.find((one) => one.id === task)?.title ?? "";
      return {
        kind: "skipped",
        spec: facts.spec,
        tasks: [task],
        id,
        what: `${task} was skipped by you: ${oneLine(text, 200) || title}`,
        todo: `${facts.command("unskip")} ${quoteForShell(task)}${inSpec(facts)}`,
      };
    });

/** What one command continues is told once. */
function stoppedIn(specs: readonly WaitingFacts[]): Waiting[] {
  const over = specs.filter((one) => one.stopped !== undefined);
  return [...new Set(over.map(({ stopped }) => stopped?.goOn ?? ""))].flatMap((todo) => {
    const own = over.filter(({ stopped }) => stopped?.goOn === todo);
    const tasks = own.flatMap((one) => one.tasks);
    const open = tasks.filter(({ ticked }) => !ticked).map(({ id }) => id);
    const unplanned = own.filter((one) => one.tasks.length === 0).map(({ spec }) => spec);
    const why = own.flatMap(({ stopped }) => stopped?.why ?? [])[0];
    const are = open.length === 1 ? "is" : "are";
    const told = [
      ...(open.length === 0
        ? []
        : [`${counted(open.length, "task")} of ${tasks.length} ${are} not done`]),
      ...(unplanned.length === 0 ? [] : [`the tasks of ${few(unplanned)} are not written yet`]),
    ];
    const about = { kind: "stopped" as const, spec: few(own.map((one) => one.spec)), tasks: open };
    const because = why === undefined ? {} : { why: oneLine(why, 200) };
    return told.length === 0
      ? []
      : [{ ...about, what: capitalize(told.join("; ")), ...because, todo }];
  });
}

const lostOf = ({ spec, lost }: WaitingFacts): Waiting[] =>
  lost === undefined
    ? []
    : [
        {
          kind: "branch",
          spec,
          tasks: [],
          what: `The run's work tree is gone, and its work is on branch ${lost.branch}. To continue there:`,
          todo: lost.goOn,
        },
      ];

/** Several specs of an epic share a branch. */
const branchesIn = (specs: readonly WaitingFacts[]): Waiting[] =>
  [...new Map(specs.flatMap((one) => (one.branch ? [[one.branch.name, one.branch]] : [])))].map(
    ([, { name, branch }]) => {
      const tasks = specs.flatMap((one) => (one.branch?.name === name ? one.tasks : []));
      const done = tasks.filter(({ ticked }) => ticked).length;
      const isDone = done === tasks.length;
      const work = isDone
        ? `the finished work is on branch ${branch}`
        : tellDone(done, tasks.length, branch);
      return {
        kind: "branch",
        spec: name,
        tasks: [],
        what: `${capitalize(work)}. To merge it:`,
        todo: `${SHELL_PROGRAM} take ${quoteForShell(name)}`,
      };
    },
  );

/** What `take` would bring of a run that is not finished. */
export const tellDone = (done: number, total: number, branch: string): string =>
  `${done} of ${counted(total, "task")} ${done === 1 || total === 1 ? "is" : "are"} done on branch ${branch}`;

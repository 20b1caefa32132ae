import { tellDied } from "../engine/local-time.ts";
import { BRANCH_PREFIX } from "../engine/trunk-record.ts";
import { quoteForShell } from "../text/quote.ts";
import { capitalize, counted, few, SHELL_PROGRAM } from "../text/wording.ts";
import { goOnCommand } from "./go-on.ts";
import type { KnownSpec, TaskReport } from "./report.ts";
import { openQuestions, type QuestionView, type ViewModel } from "./view/model.ts";

/** Something that only a person can do, and how. */
export interface Waiting {
  readonly what: string;
  readonly todo: string;
}

export const goOnIn = ({ epic, specs, options }: ViewModel): string =>
  goOnCommand(epic === null ? specs.map(({ name }) => name) : [epic], options);

/** In the order in which the user would deal with it. */
export function waitingIn(
  model: ViewModel,
  tasks: readonly TaskReport[],
  known: readonly KnownSpec[],
  died: string | null = null,
): Waiting[] {
  const many = model.specs.length > 1;
  const name = (spec: string): string => (many ? `${spec} ` : "");
  // The run hears only of what is answered while it is on.
  const isSettled = ({ spec, task, id }: QuestionView): boolean =>
    known.some(({ facts, settled }) => facts.spec === spec && settled.includes(id)) ||
    tasks.some((one) => one.spec === spec && one.id === task && one.state === "done");
  const asked = openQuestions(model).filter((one) => !isSettled(one));
  const questions = asked.map(({ spec, task, id, text, options }) => ({
    what: `Question ${id} (${name(spec)}${task}): ${text}${options.length === 0 ? "" : ` [${options.join(" / ")}]`}`,
    todo: `${SHELL_PROGRAM} answer ${id} ${quoteForShell(options[0] ?? "…")}`,
  }));
  const open = tasks.filter(({ state }) => state !== "done");
  const skipped = open.filter(({ state }) => state === "skipped");
  const failed = open.filter(({ state, refusals }) => state === "open" && refusals.length > 0);
  const done = tasks.length - open.length;
  const unheld = tasks.filter((task) => task.class === "failed" && task.state === "done");
  const approvals = known.flatMap(({ facts, approval }) =>
    approval === undefined
      ? []
      : [
          {
            what: `${name(facts.spec)}waits for your approval: ${approval.text}`,
            todo: approval.todo,
          },
        ],
  );
  return [
    ...approvals,
    ...questions,
    ...unheld.map(({ spec, id, note }) => ({
      what: `${name(spec)}${id} does not hold: ${note}`,
      todo: `${SHELL_PROGRAM} evidence ${quoteForShell(id)}`,
    })),
    ...(model.ended?.status === "unproven" ? known.filter(hasUnproven) : []).map(
      ({ facts: { spec, unproven } }) => ({
        what: `Nothing shows that ${name(spec)}${few(unproven)} ${unproven.length === 1 ? "was" : "were"} done`,
        todo: `${SHELL_PROGRAM} evidence --spec ${quoteForShell(spec)}`,
      }),
    ),
    ...failed.map(({ spec, id, setback }) => ({
      what: `${name(spec)}${setback}`,
      todo: `${SHELL_PROGRAM} logs --run ${model.run} --task ${quoteForShell(id)}`,
    })),
    ...skipped.map(({ spec, id, title }) => ({
      what: `${name(spec)}${id} was skipped by you: ${title}`,
      todo: `${SHELL_PROGRAM} unskip ${quoteForShell(id)}`,
    })),
    ...leftIn(model, tasks.length, open.length, died),
    ...(done > 0
      ? branchesOf(model).map(({ name: word, branch }) => ({
          what: `The finished work is on branch ${branch}. To merge it:`,
          todo: `${SHELL_PROGRAM} take ${quoteForShell(word)}`,
        }))
      : []),
  ];
}

/** What is left when a run is over, and the command that continues it. */
function leftIn(model: ViewModel, total: number, open: number, died: string | null): Waiting[] {
  const { ended, specs } = model;
  const isOver = ended === null ? died !== null : !["finished", "unproven"].includes(ended.status);
  if (!isOver) return [];
  const unplanned = specs.filter(({ tasks }) => tasks.length === 0).map(({ name }) => name);
  const left = [
    ...(died === null ? [] : [tellDied(died)]),
    ...(open === 0
      ? []
      : [`${counted(open, "task")} of ${total} ${open === 1 ? "is" : "are"} not done`]),
    ...(unplanned.length === 0 ? [] : [`the tasks of ${few(unplanned)} are not written yet`]),
  ];
  return left.length === 0 ? [] : [{ what: capitalize(left.join("; ")), todo: goOnIn(model) }];
}

const hasUnproven = ({ facts }: KnownSpec): boolean => facts.unproven.length > 0;

/** Branches of runs, which can be taken; with `--here` the work is where it belongs. For an epic, only its own branch, once a spec has been merged into it. */
function branchesOf({ epic, specs }: ViewModel): { name: string; branch: string }[] {
  const all = specs.flatMap(({ name, branch }) =>
    branch?.startsWith(BRANCH_PREFIX) === true ? [{ name, branch }] : [],
  );
  if (epic === null) return all;
  const merged = all.find(({ name, branch }) => !branch.endsWith(`.${name}`));
  return merged === undefined ? [] : [{ ...merged, name: epic }];
}

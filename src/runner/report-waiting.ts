import { quoteForShell } from "../text/quote.ts";
import { counted, SHELL_PROGRAM } from "../text/wording.ts";
import { goOnCommand } from "./go-on.ts";
import type { KnownSpec, TaskReport } from "./report.ts";
import { BRANCH_PREFIX } from "./trees/record.ts";
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
  return [
    ...questions,
    ...unheld.map(({ spec, id, note }) => ({
      what: `${name(spec)}${id} does not hold: ${note}`,
      todo: `${SHELL_PROGRAM} evidence ${quoteForShell(id)}`,
    })),
    ...failed.map(({ spec, id, refusals }) => ({
      what: `${name(spec)}${id} is not done: ${refusals.at(-1)?.reason ?? ""}`,
      todo: `${SHELL_PROGRAM} logs --run ${model.run} --task ${quoteForShell(id)}`,
    })),
    ...skipped.map(({ spec, id, title }) => ({
      what: `${name(spec)}${id} was skipped by you: ${title}`,
      todo: `${SHELL_PROGRAM} unskip ${quoteForShell(id)}`,
    })),
    ...(open.length > 0 &&
    model.ended !== null &&
    !["finished", "unproven"].includes(model.ended.status)
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

import { tellDied } from "../../engine/local-time.ts";
import { BRANCH_PREFIX } from "../../engine/trunk-record.ts";
import type { WaitingFacts } from "../../facts/waiting.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { goOnCommand } from "../go-on.ts";
import { classIn, openQuestions, type SpecView, type ViewModel } from "./model.ts";

export const goOnIn = ({ epic, specs, options }: ViewModel): string =>
  goOnCommand(epic === null ? specs.map(({ name }) => name) : [epic], options);

/** What a run's events know of a spec that decides what waits in it: not whether what is done is proven. */
export function waitingIn(
  model: ViewModel,
  { name, branch, tasks: lines }: SpecView,
  died: string | null = null,
): WaitingFacts {
  const { ended, epic, specs } = model;
  const isOver = ended !== null || died !== null;
  const tasks = lines.map((line) => ({
    id: line.id,
    title: line.title,
    class: classIn(line),
    ticked: line.state === "done",
    note: null,
  }));
  const isFinished = tasks.length > 0 && tasks.every(({ ticked }) => ticked);
  const isOwnBranch = branch?.startsWith(BRANCH_PREFIX) === true;
  // Of an epic, only its own branch, once a spec has been merged into it.
  const isToTake = isOwnBranch && (epic === null || !branch.endsWith(`.${name}`));
  return {
    spec: name,
    command: (verb) => `${SHELL_PROGRAM} ${verb}`,
    isActive: specs.length === 1,
    approval: model.approvals.find(({ spec }) => spec === name),
    entries: [
      ...openQuestions(model)
        .filter(({ spec }) => spec === name)
        .map((asked) => ({ ...asked, kind: "question" as const })),
      ...lines
        .filter(({ state }) => state === "skipped")
        .map(({ id }) => ({ id: 0, kind: "skip" as const, task: id, text: "", options: [] })),
    ],
    tasks,
    unproven: [],
    ...(isOver && !isFinished
      ? { stopped: { goOn: goOnIn(model), why: died === null ? null : tellDied(died) } }
      : {}),
    ...(isOver && isToTake && tasks.some(({ ticked }) => ticked)
      ? { branch: { name: epic ?? name, branch } }
      : {}),
  };
}

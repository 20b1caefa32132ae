import type { EventOf } from "../events.ts";
import type { QuestionView, SpecView, TaskView, ViewModel } from "./model.ts";

export function withPlan(
  specs: readonly SpecView[],
  { spec, branch, tree, tasks }: EventOf<"plan">,
): SpecView[] {
  const old = specs.find(({ name }) => name === spec);
  const known = new Map(old?.tasks.map((task) => [task.id, task]));
  const view = {
    name: spec,
    branch,
    tree,
    tasks: tasks.map((task) => ({ ...NOT_DONE, ...known.get(task.id), ...task })),
  };
  return old === undefined ? [...specs, view] : specs.map((one) => (one === old ? view : one));
}

const NOT_DONE = { before: null, after: null, commit: null, doneAt: null };

export const changeTask = (
  model: ViewModel,
  { spec, task }: { readonly spec: string; readonly task: string },
  more: Partial<TaskView>,
): ViewModel => ({
  ...model,
  specs: model.specs.map((one) =>
    one.name !== spec
      ? one
      : {
          ...one,
          tasks: one.tasks.map((line) => (line.id === task ? { ...line, ...more } : line)),
        },
  ),
});

export function answer(
  model: ViewModel,
  { spec, id, answer: text }: EventOf<"answered">,
): ViewModel {
  const isAnswered = (one: QuestionView): boolean => one.spec === spec && one.id === id;
  const questions = model.questions.map((one) =>
    isAnswered(one) ? { ...one, answer: text } : one,
  );
  const task = questions.find(isAnswered)?.task;
  const isFree = !questions.some(
    (one) => one.spec === spec && one.task === task && one.answer === null,
  );
  const waits = model.specs.some(
    ({ name, tasks }) =>
      name === spec && tasks.some((one) => one.id === task && one.state === "waits"),
  );
  const answered = { ...model, questions };
  return task !== undefined && isFree && waits
    ? changeTask(answered, { spec, task }, { state: "open" })
    : answered;
}

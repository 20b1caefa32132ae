import type { Ending } from "../../agents/port.ts";
import type { TaskClass } from "../../run/claim/verdict.ts";
import type { Spent } from "../../run/cost.ts";
import type { FieldsOf, TaskLine } from "../events.ts";
import { type Meter, startMeter } from "../meter.ts";

/** One run of an agent, from its start until its claim is settled. */
export interface AttemptView extends FieldsOf<"attempt-started"> {
  readonly model: string | null;
  readonly began: string;
  /** The time of its last event. */
  readonly last: string;
  /** What the agent is doing. */
  readonly action: string;
  /** The Verify that is being run. */
  readonly verifying: string | null;
  readonly spent: Spent;
  /** How the agent ended; null while it works. */
  readonly ending: Ending | null;
  /** What became of its claim; null until that is settled. */
  readonly verdict: "done" | "refused" | "over" | null;
  /** Why it was refused. */
  readonly reason: string | null;
}

export interface TaskView extends TaskLine {
  readonly before: "failed" | "passed" | "unknown" | null;
  readonly after: "passed" | "unknown" | null;
  readonly commit: string | null;
  readonly doneAt: string | null;
}

export interface SpecView {
  readonly name: string;
  readonly branch: string | null;
  readonly tree: string;
  readonly tasks: readonly TaskView[];
}

export interface QuestionView extends FieldsOf<"question"> {
  readonly answer: string | null;
}

/** Something worth a line in the view until something newer comes. */
export interface News {
  readonly at: string;
  readonly kind:
    | "refused"
    | "conflict"
    | "budget"
    | "swept"
    | "note"
    | "changed"
    | "merged"
    | "trouble";
  /** `1.2`, or empty. */
  readonly task: string;
  readonly text: string;
}

/** Everything that a view shows of a run, made from its events alone. */
export interface ViewModel extends Omit<FieldsOf<"run-started">, "pid"> {
  readonly run: string;
  /** What counts towards the budget, counted as the run counts it. */
  readonly meter: Meter;
  readonly epic: string | null;
  /** Command-line options to repeat in order to continue the run. */
  readonly options: readonly string[];
  readonly began: string | null;
  /** The time of the last event. */
  readonly last: string | null;
  readonly specs: readonly SpecView[];
  /** In the order in which they began. */
  readonly attempts: readonly AttemptView[];
  readonly questions: readonly QuestionView[];
  /** What waits for the user's approval, and how they give it. */
  readonly approvals: readonly FieldsOf<"approval">[];
  readonly limits: readonly FieldsOf<"limit">[];
  readonly waiting: FieldsOf<"waiting"> | null;
  readonly paused: boolean;
  readonly news: readonly News[];
  /** How many claims were refused. */
  readonly refusals: number;
  readonly ended: (FieldsOf<"run-ended"> & { readonly at: string }) | null;
}

export const EMPTY: ViewModel = {
  run: "",
  version: "",
  agents: [],
  parallel: 1,
  budget: {},
  meter: startMeter(),
  sandbox: "",
  epic: null,
  options: [],
  began: null,
  last: null,
  specs: [],
  attempts: [],
  questions: [],
  approvals: [],
  limits: [],
  waiting: null,
  paused: false,
  news: [],
  refusals: 0,
  ended: null,
};

/** Whether the agent is still working, or its claim is being checked. */
export const isCurrent = ({ verdict }: AttemptView): boolean => verdict === null;

/** What is behind a task. Older runs did not say, so what they did counts as reported. */
export const classIn = ({ state, class: is }: TaskView): TaskClass =>
  state === "skipped" ? "skipped" : (is ?? (state === "done" ? "reported" : "open"));

/** Tasks of all specs, with the spec of each. */
export const tasksIn = ({
  specs,
}: ViewModel): readonly { readonly spec: string; readonly task: TaskView }[] =>
  specs.flatMap(({ name, tasks }) => tasks.map((task) => ({ spec: name, task })));

/** A task that is done meanwhile asks nothing any more. */
export const openQuestions = ({ questions, specs }: ViewModel): readonly QuestionView[] =>
  questions.filter(
    ({ answer, spec, task }) =>
      answer === null &&
      !specs.some(
        ({ name, tasks }) =>
          name === spec && tasks.some(({ id, state }) => id === task && state === "done"),
      ),
  );

/** Whether everything that is left waits for the user. */
export const isWaitingForUser = (model: ViewModel): boolean =>
  model.approvals.length > 0 ||
  (!model.attempts.some(isCurrent) &&
    openQuestions(model).length > 0 &&
    tasksIn(model).every(({ task: { state } }) => state !== "open"));

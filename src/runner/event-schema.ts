import {
  boolean,
  field,
  integer,
  isDeep,
  isObject,
  type Kind,
  listOf,
  nullable,
  number,
  objectOf,
  objectWith,
  oneOf,
  string,
} from "../text/schema.ts";
import {
  time,
  text,
  kindOf,
  at,
  about,
  spent,
  before,
  ending,
  classField,
  taskLine,
  budget,
  checks,
  outlook,
} from "./event-parts.ts";
import { RUN_STATUSES, type RunEvent } from "./events.ts";
/** Every kind of event, in the order in which they usually occur. */
export const eventKinds = {
  "run-started": objectWith(
    {
      ...at,
      kind: kindOf("run-started"),
      run: field(string, "The id of the run."),
      version: field(string, "Smart Ralph's version."),
      pid: field(integer(0), "The process of the runner."),
      agents: field(listOf(string), "In order of preference."),
      parallel: field(integer(1), "The maximum number of tasks at the same time."),
      budget: field(budget, "Bounds of the whole run: US dollars, tokens, milliseconds."),
      sandbox: field(string, "What agents and Verify commands are wrapped in."),
    },
    {
      processes: field(
        string,
        "What ends the processes that agents and Verify commands leave behind: their own PID namespace, or a search.",
      ),
      epic: field(string, "The epic, if the run is for all its specs."),
      options: field(
        listOf(string),
        "Command-line options, as words. Repeat them to continue the run.",
      ),
      before: field(
        before,
        "What killed runs used that this one continues: it counts towards the budget.",
      ),
    },
  ),
  plan: objectOf({
    ...at,
    kind: kindOf("plan"),
    spec: about.spec,
    branch: field(nullable(string), ""),
    tree: field(string, "The folder of the work tree."),
    tasks: field(listOf(taskLine), "All of them, whenever the list changes."),
  }),
  "attempt-started": objectWith(
    {
      ...at,
      kind: kindOf("attempt-started"),
      ...about,
      of: field(integer(1), "How many attempts there are at most."),
      role: field(oneOf("planning", "execution", "verification", "review", "merge"), ""),
      title: text,
      agent: field(string, ""),
    },
    { model: field(string, "") },
  ),
  action: objectOf({ ...at, kind: kindOf("action"), ...about, text }),
  usage: objectOf({ ...at, kind: kindOf("usage"), ...about, spent }),
  retry: objectOf({ ...at, kind: kindOf("retry"), ...about, text }),
  "attempt-ended": objectOf({
    ...at,
    kind: kindOf("attempt-ended"),
    ...about,
    ending: field(ending, "How the agent ended. `turn` does not say that the task is done."),
    ms: field(number(0), "How long it worked."),
    spent,
  }),
  verifying: objectOf({
    ...at,
    kind: kindOf("verifying"),
    ...about,
    command: field(string, "The Verify that is run."),
  }),
  done: objectWith(
    {
      ...at,
      kind: kindOf("done"),
      ...about,
      before: field(oneOf("failed", "passed", "unknown"), "How its Verify did before the work."),
      after: field(oneOf("passed", "unknown"), "How its Verify did after it."),
      commit: field(nullable(string), ""),
    },
    { class: classField, weakness: field(string, "What keeps it from being proven.") },
  ),
  refused: objectWith(
    { ...at, kind: kindOf("refused"), ...about, reason: text },
    { claimed: field(boolean, "False if its agent did not call it done.") },
  ),
  merged: objectOf({ ...at, kind: kindOf("merged"), ...about, commit: field(string, "") }),
  conflict: objectOf({
    ...at,
    kind: kindOf("conflict"),
    ...about,
    files: field(listOf(string), ""),
  }),
  question: objectOf({
    ...at,
    kind: kindOf("question"),
    spec: about.spec,
    task: about.task,
    id: field(integer(0), "As in `smart-ralph answer 3`."),
    text,
    options: field(listOf(string), ""),
  }),
  answered: objectOf({
    ...at,
    kind: kindOf("answered"),
    spec: about.spec,
    id: field(integer(0), "The id of the question."),
    answer: text,
  }),
  skipped: objectOf({ ...at, kind: kindOf("skipped"), spec: about.spec, task: about.task }),
  approval: objectOf({
    ...at,
    kind: kindOf("approval"),
    spec: about.spec,
    text,
    todo: field(string, "The command that approves."),
  }),
  approved: objectOf({ ...at, kind: kindOf("approved"), spec: about.spec }),
  limit: objectOf({
    ...at,
    kind: kindOf("limit"),
    agent: field(string, "The agent that has reached its usage limit."),
    until: field(nullable(string), "When it is back, ISO 8601."),
    text,
  }),
  "agent-changed": objectOf({
    ...at,
    kind: kindOf("agent-changed"),
    from: field(string, ""),
    to: field(string, ""),
    why: text,
  }),
  waiting: objectOf({ ...at, kind: kindOf("waiting"), until: time, why: text }),
  budget: objectOf({ ...at, kind: kindOf("budget"), text }),
  paused: objectOf({ ...at, kind: kindOf("paused") }),
  resumed: objectOf({ ...at, kind: kindOf("resumed") }),
  swept: objectOf({
    ...at,
    kind: kindOf("swept"),
    count: field(integer(0), "Processes that an agent left behind, and that were ended."),
  }),
  note: objectWith({ ...at, kind: kindOf("note"), text }, { checks, outlook }),
  "run-ended": objectOf({
    ...at,
    kind: kindOf("run-ended"),
    status: field(oneOf(...RUN_STATUSES), "Why it ended; each has its exit code."),
    done: field(integer(0), "Tasks that are proven."),
    total: field(integer(0), "All tasks."),
    text,
  }),
} as const satisfies { readonly [K in RunEvent["kind"]]: Kind<Extract<RunEvent, { kind: K }>> };

/** Lines of an event log are not trusted: those that are not known events are skipped. */
export const isRunEvent = (value: unknown): value is RunEvent =>
  isObject(value) &&
  typeof value["kind"] === "string" &&
  Object.hasOwn(eventKinds, value["kind"]) &&
  !isDeep(value, 10) &&
  eventKinds[value["kind"] as RunEvent["kind"]].is(value);

export const runEventsSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph run event",
  description:
    "One JSON object per line: what `smart-ralph run --json` prints, and what a run's events.jsonl has. Newer versions may add kinds and fields.",
  oneOf: Object.values(eventKinds).map(({ schema }) => schema),
});

/** What the schema allows: the same as `RunEvent`, or it does not compile (here one way, in the test the other). */
export type DescribedEvent = {
  [K in keyof typeof eventKinds]: (typeof eventKinds)[K] extends Kind<infer T> ? T : never;
}[RunEvent["kind"]];

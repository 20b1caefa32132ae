import { endingKind, tokensKind } from "../agents/port.ts";
import { outlookKind } from "../facts/outlook.ts";
import { verdictFields } from "../run/claim/verdict.ts";
import { pricedFields, spentKind } from "../run/cost.ts";
import { diagnosticKind } from "../text/diagnostic.ts";
import {
  boolean,
  field,
  type Fields,
  forPeople as text,
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
  type TypeOf,
  type ValuesOf,
} from "../text/schema.ts";
import { RUN_STATUSES } from "./run-status.ts";

/** What an agent is started for. Models and agents can be chosen for each. */
const role = oneOf("planning", "execution", "verification", "review", "merge");
export type Role = TypeOf<typeof role>;

const spec = field(string, "The name of the spec.");
const task = field(string, "The task's id, the name of a document, or `review`.");
/** The attempt that an event is about. */
const about = {
  spec,
  task,
  attempt: field(integer(0), "Which attempt at it this is; 0 if it needed no agent."),
};

const pricedUsage = objectOf({ tokens: field(tokensKind, ""), ...pricedFields });
/** What an agent has used since it was started, with its cost. */
export type PricedUsage = TypeOf<typeof pricedUsage>;
const spent = field(pricedUsage, "What this attempt has used so far: always the sum.");

const usedBefore = objectOf({
  ms: field(number(0), "How long they ran."),
  starts: field(
    listOf(objectOf({ ...about, agent: field(string, ""), spent: field(spentKind, "") })),
    "Every start of an agent.",
  ),
});
export type UsedBefore = TypeOf<typeof usedBefore>;

const taskLine = objectWith(
  {
    id: field(string, ""),
    title: text,
    state: field(oneOf("open", "done", "waits", "skipped"), ""),
  },
  // Older runs did not say.
  { class: verdictFields.class },
);
export type TaskLine = TypeOf<typeof taskLine>;

const budget = objectWith(
  {},
  { usd: field(number(0), ""), tokens: field(number(0), ""), ms: field(number(0), "") },
);
export type Budget = TypeOf<typeof budget>;

/** What every event has. The logs of older versions lack the first two; their reader adds them. */
const head = {
  run: field(string, "The id of the run."),
  seq: field(integer(1), "Its number in the run, from 1; readers can start at any."),
  at: field(string, "When, ISO 8601."),
};

const event = <F extends Fields, O extends Fields = Record<never, never>>(
  fields: F,
  optional = {} as O,
) => ({ fields, optional });

/** Every kind of event with its fields, in the order in which they usually occur. Types and schema are made from it. */
const EVENTS = {
  "run-started": event(
    {
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
        usedBefore,
        "What killed runs used that this one continues: it counts towards the budget.",
      ),
    },
  ),
  plan: event({
    spec,
    branch: field(nullable(string), ""),
    tree: field(string, "The folder of the work tree."),
    tasks: field(listOf(taskLine), "All of them, whenever the list changes."),
  }),
  "attempt-started": event(
    {
      ...about,
      of: field(integer(1), "How many attempts there are at most."),
      role: field(role, ""),
      title: text,
      agent: field(string, ""),
    },
    { model: field(string, "") },
  ),
  /** What the agent is doing, in a line. */
  action: event({ ...about, text }),
  usage: event({ ...about, spent }),
  retry: event({ ...about, text }),
  "attempt-ended": event({
    ...about,
    ending: field(endingKind, "How the agent ended. `turn` does not say that the task is done."),
    ms: field(number(0), "How long it worked."),
    spent,
  }),
  verifying: event({ ...about, command: field(string, "The Verify that is run.") }),
  done: event(
    {
      ...about,
      before: field(oneOf("failed", "passed", "unknown"), "How its Verify did before the work."),
      after: field(oneOf("passed", "unknown"), "How its Verify did after it."),
      commit: field(nullable(string), ""),
    },
    { class: verdictFields.class, weakness: field(string, "What keeps it from being proven.") },
  ),
  refused: event(
    { ...about, reason: text },
    { claimed: field(boolean, "False if its agent did not call it done.") },
  ),
  /** It is in the branch and stays there: its Verify has passed on top of what was merged before it. */
  merged: event({ ...about, commit: field(string, "") }),
  conflict: event({ ...about, files: field(listOf(string), "") }),
  question: event({
    spec,
    task,
    id: field(integer(0), "As in `smart-ralph answer 3`."),
    text,
    options: field(listOf(string), ""),
  }),
  answered: event({ spec, id: field(integer(0), "The id of the question."), answer: text }),
  skipped: event({ spec, task }),
  /** Nothing of the spec goes on until the user has typed `todo`. */
  approval: event({ spec, text, todo: field(string, "The command that approves.") }),
  approved: event({ spec }),
  limit: event({
    agent: field(string, "The agent that has reached its usage limit."),
    until: field(nullable(string), "When it is back, ISO 8601."),
    text,
  }),
  "agent-changed": event({ from: field(string, ""), to: field(string, ""), why: text }),
  /** Nothing can go on until then. */
  waiting: event({ until: field(string, "ISO 8601."), why: text }),
  budget: event({ text }),
  paused: event({}),
  resumed: event({}),
  swept: event({
    count: field(integer(0), "Processes that an agent left behind, and that were ended."),
  }),
  note: event(
    { text },
    {
      checks: field(
        listOf(diagnosticKind),
        "What was looked at before the first agent; once, at the start.",
      ),
      outlook: field(outlookKind, "What can be proven; before the first task of a spec."),
    },
  ),
  "run-ended": event({
    status: field(oneOf(...RUN_STATUSES), "Why it ended; each has its exit code."),
    done: field(integer(0), "Tasks that are proven."),
    total: field(integer(0), "All tasks."),
    text,
  }),
};

type Events = typeof EVENTS;
export type EventKind = keyof Events;
/** What an event of this kind always says. */
export type FieldsOf<K extends EventKind> = ValuesOf<Events[K]["fields"]>;

/** What happens, as it is emitted. */
export type RunNews = {
  [K in EventKind]: { readonly kind: K } & FieldsOf<K> & Partial<ValuesOf<Events[K]["optional"]>>;
}[EventKind];

/** What happens in a run, in order. The live view, the lines, `--json`, `watch` and `replay` read only this. */
export type RunEvent = ValuesOf<typeof head> & RunNews;
export type EventOf<K extends EventKind> = Extract<RunEvent, { readonly kind: K }>;

const kinds = new Map<string, Kind<object>>(
  Object.entries(EVENTS).map(([name, { fields, optional }]) => [
    name,
    objectWith({ ...head, kind: field(oneOf(name), "What happened."), ...fields }, optional),
  ]),
);

/** Lines of an event log are not trusted: those that are not known events are skipped. */
export const isRunEvent = (value: unknown): value is RunEvent =>
  isObject(value) && !isDeep(value, 10) && kinds.get(value["kind"] as string)?.is(value) === true;

export const runEventsSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph run event",
  description:
    "One JSON object per line: what `smart-ralph run --json` prints, and what a run's events.jsonl has. Newer versions may add kinds and fields.",
  oneOf: [...kinds.values()].map(({ schema }) => schema),
});

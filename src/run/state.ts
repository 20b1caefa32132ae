import * as s from "../text/schema.ts";

export const LIMITS = {
  maxTaskIterations: 5,
  maxGlobalIterations: 100,
  maxFixTasksPerOriginal: 3,
  maxFixTaskDepth: 3,
  maxModificationsPerTask: 3,
  maxModificationDepth: 2,
  /** How often the Verify of one task may be changed during a run. */
  maxAmendments: 2,
  stalledContinuations: 3,
  /** How often a document that fails its check is sent back in quick mode. */
  documentRounds: 3,
} as const;

/** An object whose fields the schema describes; what others wrote there is checked when it is used. */
const looseObject = (described: s.Fields): s.Kind<Raw> => ({
  is: s.isObject,
  get schema() {
    return s.objectSchema(described, []);
  },
});

/**
 * The state file, as older versions of the plugins wrote it. This is the only definition: the published JSON Schema is
 * generated from it. A field that is missing or has the wrong type reads as its default. Unknown fields are kept,
 * because agents and older versions write this file too.
 */
const fields = {
  source: s.field(s.oneOf("spec", "plan", "direct"), "Where the tasks come from."),
  name: s.field(s.string, "The spec's name."),
  basePath: s.field(s.string, "The spec's folder, relative to the project."),
  phase: s.field(
    s.string,
    "`execution` is the phase in which the loop runs; the others end with a document.",
  ),
  taskIndex: s.field(s.integer(0), "Index of the first unticked task: a cache of tasks.md."),
  totalTasks: s.field(s.integer(0), "How many tasks tasks.md has: a cache of it."),
  taskIteration: s.field(s.integer(1), "Which attempt at the current task this is."),
  maxTaskIterations: s.field(s.integer(1), "Attempts at one task before the loop stops (5)."),
  globalIteration: s.field(
    s.integer(1),
    "Which turn of the loop this is; `implement` is the first.",
  ),
  maxGlobalIterations: s.field(s.integer(1), "Turns before the loop stops (100)."),
  commitSpec: s.field(s.boolean, "Whether the spec's own files are committed."),
  awaitingApproval: s.field(s.boolean, "The user is asked for a decision; the loop waits."),
  approvalReason: s.field(s.string, "What the user is asked to decide."),
  paused: s.field(s.boolean, "The user paused the loop."),
  quickMode: s.field(s.boolean, "Phases follow one another without approval."),
  recoveryMode: s.field(
    s.boolean,
    "A failed task gets a fix task instead of a plain retry; a `[VERIFY]` task always does.",
  ),
  maxFixTasksPerOriginal: s.field(s.integer(0), "Fix tasks for one task (at most 3)."),
  maxFixTaskDepth: s.field(s.integer(0), "Fixes of fixes: how deep they may nest (at most 3)."),
  fixTaskMap: s.field(
    s.recordOf(
      looseObject({
        attempts: s.field(s.integer(0), "How many fix tasks it has had."),
        fixTaskIds: s.field(s.listOf(s.string), "Their ids."),
        lastError: s.field(s.string, "Why it failed last."),
      }),
    ),
    "Fix tasks made for each failed task, by its id.",
  ),
  maxModificationsPerTask: s.field(s.integer(0), "Splits and additions for one task (at most 3)."),
  maxModificationDepth: s.field(
    s.integer(0),
    "Splits of what was split off: how deep they may nest (at most 2).",
  ),
  modificationMap: s.field(
    s.recordOf(
      looseObject({
        count: s.field(s.integer(0), "How many changes were asked for."),
        modifications: s.field(s.listOf(looseObject({})), "Each new task: id, type, reason."),
      }),
    ),
    "Tasks that were split off or added, by the id of the task they come from.",
  ),
  parallelGroup: s.field(
    s.nullable(
      s.objectOf({ taskIndices: s.field(s.listOf(s.integer(0)), "Indices of its members.") }),
    ),
    "The last parallel group handed out.",
  ),
  taskResults: s.field(
    s.recordOf(s.objectOf({})),
    "Outcome of each member of the parallel group, by index.",
  ),
  sessionId: s.field(s.string, "The client session that the loop belongs to."),
  runToken: s.field(
    s.string,
    "Random; the same as in the user's own folder on the machine where the run was started. A state without it continues only on the user's command.",
  ),
  intent: s.field(
    s.string,
    "What kind of work the goal is: it decides what is asked and how tasks are cut.",
  ),
  intentBy: s.field(
    s.oneOf("user", "agent"),
    "Who said what kind of work it is; otherwise it is read from the goal.",
  ),
  nameBy: s.field(
    s.oneOf("program", "agent"),
    "Who chose the spec's name, if the user did not. An agent may replace the program's choice.",
  ),
  small: s.field(
    s.boolean,
    "The short way for a small goal: one planning document, then the tasks.",
  ),
  granularity: s.field(s.oneOf("fine", "coarse"), "How finely tasks are cut."),
  epicName: s.field(s.string, "The epic that the spec belongs to."),
  relatedSpecs: s.field(
    s.listOf(
      looseObject({
        name: s.field(s.string, "Its name."),
        relevance: s.field(s.string, "High, Medium or Low."),
        reason: s.field(s.string, "What they have in common."),
        mayNeedUpdate: s.field(s.boolean, "Whether this spec may change what that one says."),
      }),
    ),
    "Other specs related to the goal.",
  ),
};

export type State = Partial<s.ValuesOf<typeof fields>>;

type Growth =
  | "maxFixTasksPerOriginal"
  | "maxFixTaskDepth"
  | "maxModificationsPerTask"
  | "maxModificationDepth";

/** How much a list may grow. Agents and clones write the state too, so it can only lower the bound. */
export const limitIn = (state: State, name: Growth): number =>
  Math.min(state[name] ?? LIMITS[name], LIMITS[name]);

/** What a field that is missing counts as, for readers of the published schema. */
const defaults = (): State => ({
  source: "spec",
  taskIndex: 0,
  totalTasks: 0,
  taskIteration: 1,
  maxTaskIterations: LIMITS.maxTaskIterations,
  globalIteration: 1,
  maxGlobalIterations: LIMITS.maxGlobalIterations,
  commitSpec: false,
  awaitingApproval: false,
  paused: false,
  quickMode: false,
  recoveryMode: false,
  maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
  maxFixTaskDepth: LIMITS.maxFixTaskDepth,
  fixTaskMap: {},
  maxModificationsPerTask: LIMITS.maxModificationsPerTask,
  maxModificationDepth: LIMITS.maxModificationDepth,
  modificationMap: {},
  parallelGroup: null,
  taskResults: {},
  relatedSpecs: [],
});

/** Built on demand: the hook does not need it. */
export const stateSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph state",
  description: "Says that a spec is being executed, and how far it is. Never committed to git.",
  ...s.objectSchema(fields, [], defaults()),
});

export type Raw = s.Raw;
export type StateFile =
  | { readonly kind: "absent" }
  | { readonly kind: "corrupt"; readonly why: string }
  | { readonly kind: "ok"; readonly raw: Raw; readonly state: State };

export function parseState(text: string): StateFile {
  const file = s.parseRaw(text);
  return file.kind === "ok" ? { ...file, state: s.readFields(fields, file.raw) } : file;
}

export const formatState = s.formatRaw;

/** The user asked for approval first, or paused the loop. */
export const isWaiting = ({ paused, awaitingApproval }: State): boolean =>
  paused === true || awaitingApproval === true;

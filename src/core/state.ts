import * as v from "valibot";

/**
 * The state file, as older versions of the plugins wrote it. This is the one definition: the
 * published JSON Schema is generated from it. A field that is missing or of the wrong kind reads as
 * its default, a field we do not know is kept, because agents and older versions write this file too.
 */
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const atLeastOne = v.pipe(v.number(), v.integer(), v.minValue(1));
const ids = v.array(v.string());

const described = <const S extends v.GenericSchema>(schema: S, text: string) =>
  v.pipe(schema, v.description(text));

export const LIMITS = {
  maxTaskIterations: 5,
  maxGlobalIterations: 100,
  maxFixTasksPerOriginal: 3,
  stalledContinuations: 3,
} as const;

const fields = {
  source: described(v.picklist(["spec", "plan", "direct"]), "Where the tasks come from."),
  name: described(v.string(), "The spec's name."),
  basePath: described(v.string(), "The spec's folder, relative to the project."),
  phase: described(v.string(), "`execution` is the phase in which the loop runs."),
  taskIndex: described(count, "Index of the first unchecked task: a cache of tasks.md."),
  totalTasks: described(count, "How many tasks tasks.md has: a cache of it."),
  taskIteration: described(atLeastOne, "Which attempt at the current task this is."),
  maxTaskIterations: described(atLeastOne, "Attempts at one task before the loop stops."),
  globalIteration: described(atLeastOne, "Which turn of the loop this is; `implement` is the first."),
  maxGlobalIterations: described(atLeastOne, "Turns before the loop stops."),
  commitSpec: described(v.boolean(), "Whether the spec's own files are committed."),
  awaitingApproval: described(v.boolean(), "The user is asked for a decision; the loop waits."),
  approvalReason: described(v.string(), "What the user is asked to decide."),
  paused: described(v.boolean(), "The user paused the loop."),
  quickMode: described(v.boolean(), "Phases follow one another without approval."),
  recoveryMode: described(v.boolean(), "A failed task gets a fix task instead of a plain retry."),
  maxFixTasksPerOriginal: described(count, "Fix tasks for one task."),
  fixTaskMap: described(
    v.record(
      v.string(),
      v.looseObject({
        attempts: v.optional(count),
        fixTaskIds: v.optional(ids),
        lastError: v.optional(v.nullable(v.string())),
      }),
    ),
    "Fix tasks made for each failed task.",
  ),
  parallelGroup: described(
    v.nullable(v.looseObject({ taskIndices: v.optional(v.array(count)) })),
    "The parallel group that was handed out last.",
  ),
  taskResults: described(
    v.record(
      v.string(),
      v.looseObject({ status: v.optional(v.string()), error: v.optional(v.nullable(v.string())) }),
    ),
    "Outcome of each member of the parallel group, by index.",
  ),
  sessionId: described(v.string(), "The client session that the loop belongs to."),
};

type Fields = typeof fields;
export type State = { readonly [K in keyof Fields]?: v.InferOutput<Fields[K]> };

export const StateSchema = v.pipe(
  v.looseObject(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, v.optional(schema)])),
  ),
  v.title("Smart Ralph state"),
  v.description("Says that a spec is being executed, and how far it is. Never committed to git."),
);

export type Raw = Readonly<Record<string, unknown>>;
export type StateFile =
  | { readonly kind: "absent" }
  | { readonly kind: "corrupt"; readonly why: string }
  | { readonly kind: "ok"; readonly raw: Raw; readonly state: State };

export function parseState(text: string): StateFile {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { kind: "corrupt", why: text.trim() === "" ? "it is empty" : "it is not valid JSON" };
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "corrupt", why: "it is not a JSON object" };
  }
  return { kind: "ok", raw: raw as Raw, state: readFields(raw as Raw) };
}

function readFields(raw: Raw): State {
  const state: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    if (Object.hasOwn(raw, name) && v.is(schema, raw[name])) state[name] = raw[name];
  }
  return state;
}

export const formatState = (raw: Raw): string => `${JSON.stringify(raw, null, 2)}\n`;

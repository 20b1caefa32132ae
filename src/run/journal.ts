import * as s from "../text/schema.ts";
import type { Evidence } from "./claim/evidence.ts";
import type { Verdict } from "./claim/verdict.ts";
import type { Cost } from "./cost.ts";
import type { State } from "./state.ts";

/**
 * The loop's own record, which the agent has no reason to touch. Each line of the journal carries the whole record, so
 * the last line is enough: reading does not slow down as the journal grows, and the bounds of the loop hold even if the
 * state file loses every counter.
 */
const loopFields = {
  run: s.field(s.string, "One `implement` or `resume` to its end."),
  began: s.field(s.string, "When the run began, ISO 8601."),
  session: s.field(s.nullable(s.string), "The client session it is bound to."),
  iteration: s.field(s.integer(1), "Which turn of the run this is."),
  maxIterations: s.field(s.integer(1), "Turns before the loop stops."),
  maxAttempts: s.field(s.integer(1), "Attempts at one task before the loop stops."),
  continued: s.field(s.integer(0), "Stops of this session that we answered with a prompt."),
  stalled: s.field(s.integer(0), "Continuations in a row that moved nothing."),
  mark: s.field(s.string, "What was on disk at the last continuation."),
  furthest: s.field(
    s.integer(0),
    "Highest task index seen, so that going back does not count as movement.",
  ),
  total: s.field(s.integer(0), "Tasks at the last look."),
  ticked: s.field(
    s.nullable(s.integer(0)),
    "Ticked boxes at the last look, to notice a box that nobody reported.",
  ),
  head: s.field(
    s.string,
    "The commit at which the current task was handed out; empty outside git.",
  ),
  task: s.field(s.nullable(s.string), "The last task handed out."),
  attempts: s.field(
    s.recordOf(s.integer(1)),
    "Attempts begun at each task that has failed and is not done.",
  ),
  lastError: s.field(s.nullable(s.string), "Why the last failed attempt failed."),
  told: s.field(
    s.nullable(s.oneOf("corrupt", "limit", "stalled", "exhausted")),
    "A reason to stop that was reported and is not repeated.",
  ),
  open: s.field(s.boolean, "False once the run is finished or cancelled."),
};

/** Fields that older versions did not write. */
export const laterFields = {
  moves: s.field(
    s.integer(0),
    "Tasks settled, claims weighed, attempts spent and tasks added: what counts as movement.",
  ),
  refusals: s.field(
    s.recordOf(s.integer(1)),
    "Claims refused in the current attempt at each task: the same claim, made again and again, is not movement.",
  ),
  boxes: s.field(
    s.nullable(s.string),
    "A sum over the ticked boxes that count; another one on disk means that somebody ticked by hand.",
  ),
  ready: s.field(
    s.nullable(s.string),
    "The tasks that are ready to be handed out: checkpoint made, Verify tried.",
  ),
  out: s.field(
    s.recordOf(s.string),
    "Agents that were started and have not ended, by the client's id of the call, with their tasks.",
  ),
  review: s.field(
    s.nullable(s.oneOf("out", "heard")),
    "The last review of the whole work: asked for, or its report taken.",
  ),
};

export const LATER: s.ValuesOf<typeof laterFields> = {
  moves: 0,
  refusals: {},
  boxes: null,
  ready: null,
  out: {},
  review: null,
};

export type Loop = s.ValuesOf<typeof loopFields> & s.ValuesOf<typeof laterFields>;

export type EventName =
  | "start"
  | "resume"
  | "continue"
  | "sent-back"
  | "phase"
  | "intent"
  | "renamed"
  | "review"
  | "reviewed"
  | "done"
  | "accepted"
  | "ticked"
  | "before"
  | "checked"
  | "amended"
  | "heard"
  | "delegated"
  | "returned"
  | "ready"
  | "failed"
  | "refused"
  | "fix-added"
  | "split"
  | "added"
  | "undone"
  | "corrupt"
  | "limit"
  | "exhausted"
  | "stalled"
  | "finished"
  | "cancelled"
  | "paused"
  | "unpaused"
  | "awaiting"
  | "approved"
  | "asked"
  | "answered"
  | "skipped"
  | "repaired"
  | "lost"
  | "service-error"
  | "session-ended";

const entryFields = {
  at: s.field(s.string, "When, ISO 8601."),
  event: s.field(s.string, "What happened; `task` and `note` may say more."),
  loop: s.field(s.objectOf(loopFields), "The record of the loop after this event."),
};

export const entryKind = s.objectOf(entryFields);

export const journalSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph journal line",
  description: "One JSON object per line, append-only. Never committed to git.",
  ...s.objectSchema(
    {
      ...entryFields,
      loop: s.field(
        {
          is: s.isObject,
          schema: s.objectSchema({ ...loopFields, ...laterFields }, Object.keys(loopFields)),
        },
        entryFields.loop.about,
      ),
    },
    Object.keys(entryFields),
  ),
});

/** A Verify that was changed during a run, as the receipt lists it. */
export const amendmentKind = s.objectOf({
  task: s.field(s.string, "The task's number."),
  old: s.field(s.string, "Its Verify before."),
  new: s.field(s.string, "And after."),
  reason: s.field(s.string, "Why it was changed."),
});
export type Amendment = s.TypeOf<typeof amendmentKind>;

export interface Entry {
  readonly at: string;
  readonly event: EventName;
  readonly note?: string;
  readonly task?: string;
  /** The sub-agent that reported, if known. */
  readonly agent?: string;
  /** Decided at a terminal, about a run that a client's session has. */
  readonly from?: "terminal";
  /** What we ran to check the claim, and the result. */
  readonly evidence?: readonly Evidence[];
  /**
   * The task's own commits that change something outside the spec's folder, oldest first. Missing if nobody could tell:
   * without git, and in what older versions wrote.
   */
  readonly commits?: readonly string[];
  /** What became of the task with this entry; missing in what older versions wrote. */
  readonly verdict?: Verdict;
  /** Why nothing has changed, in the agent's words. */
  readonly noChange?: string;
  /** What the sub-agent used. */
  readonly cost?: Cost;
  /** How the Verify of a task was changed. */
  readonly amendment?: Amendment;
  /** The first few files that the attempt left uncommitted. */
  readonly uncommitted?: readonly string[];
  /**
   * Uncommitted files that are no task's work: the commands we ran left them, they were there when its agent came, or its
   * agent says that they are not its own.
   */
  readonly left?: readonly string[];
  /** The state as we left it: an agent that edits it later does not change what the user decided. */
  readonly held?: UserDecisions;
  readonly loop: Loop;
}

/** Fields of the state that only the user's commands and our own decisions may change. */
export type UserDecisions = Pick<
  State,
  "phase" | "quickMode" | "small" | "commitSpec" | "paused" | "awaitingApproval"
>;

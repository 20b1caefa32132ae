import { EXECUTION } from "../layouts/layout.ts";
import { phaseNamed, phasesOf } from "../layouts/phases.ts";
import { REVIEW } from "../run/agents-out.ts";
import { type HandOut, planHandOut } from "../run/hand-out.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { inconclusiveReviews, MAX_REVIEWS } from "../run/review.ts";
import { LIMITS } from "../run/state.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { fieldOf } from "../tasks/fields.ts";
import type { TaskList } from "../tasks/model.ts";
import type { Role } from "./events.ts";

/** One piece of work for an agent. */
export interface Job {
  /** A task's id, the name of a document, or `review`. */
  readonly id: string;
  readonly title: string;
  readonly role: Role;
  /** The kind of agent that does such work, such as `spec-executor`. */
  readonly type: string;
  readonly attempt: number;
  readonly of: number;
  /** The text of a task's Verify. */
  readonly verify?: string | undefined;
}

export const isTask = ({ role }: Pick<Job, "role">): boolean =>
  role === "execution" || role === "verification";

/** What the engine has handed out: a document, the review, a task or a group of tasks. */
export function planJobs(spec: Spec, now: Now): Job[] {
  const { state, loop, brief, list } = readHandOut(spec, now);
  const phase = phaseNamed(phasesOf(spec.project.layout, state), state.phase);
  if (phase !== undefined) {
    const { document, agent } = phase;
    const attempt = (loop.attempts[document] ?? 0) + 1;
    const of = LIMITS.documentRounds + 1;
    return [{ id: document, title: document, role: "planning", type: agent, attempt, of }];
  }
  if (loop.review === "out" && state.phase === EXECUTION) {
    const title = "review of the whole work";
    const attempt = inconclusiveReviews(loop) + 1;
    const of = MAX_REVIEWS;
    return [{ id: REVIEW, title, role: "review", type: "spec-reviewer", attempt, of }];
  }
  return brief.current.map(({ id, title, agent, attempt }) => ({
    id,
    title,
    role: agent === "qa-engineer" ? "verification" : "execution",
    type: agent,
    attempt,
    of: brief.maxAttempts,
    verify: verifyOf(list, id),
  }));
}

/** Tasks that have used all their attempts. */
export function planExhausted(spec: Spec, now: Now): Job[] {
  const { brief, list } = readHandOut(spec, now);
  const { exhausted, maxAttempts } = brief;
  return exhausted.map(({ id, title }) => ({
    id,
    title,
    role: "execution",
    type: "spec-executor",
    attempt: maxAttempts,
    of: maxAttempts,
    verify: verifyOf(list, id),
  }));
}

export function verifyOf(list: TaskList | undefined, id: string): string | undefined {
  const task = list?.tasks.find((one) => one.id === id);
  return list && task && fieldOf(list, task, "verify");
}

function readHandOut(spec: Spec, now: Now) {
  const { state: file, tasks, last } = readDisk(spec);
  const state = file.kind === "ok" ? file.state : {};
  const loop = currentLoop(state, last, now);
  const list = tasks.kind === "ok" ? tasks.list : undefined;
  const brief: HandOut = planHandOut(spec, list, state, loop, readAllEntries(spec));
  return { state, loop, brief, list };
}

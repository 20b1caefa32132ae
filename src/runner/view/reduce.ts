import { NOTHING } from "../../run/cost.ts";
import { plainReason } from "../../run/event-lines.ts";
import type { EventOf, RunEvent } from "../events.ts";
import { countEvent } from "../meter.ts";
import { spentIn } from "../spent.ts";
import { describeEnding } from "./endings.ts";
import {
  type AttemptView,
  EMPTY,
  isCurrent,
  type News,
  openQuestions,
  type ViewModel,
} from "./model.ts";
import { answer, changeTask, withPlan } from "./reduce-tasks.ts";

/** No screen shows more. */
const MAX_NEWS = 50;

export const reduceAll = (events: readonly RunEvent[], from: ViewModel = EMPTY): ViewModel =>
  events.reduce(reduce, from);

function reduce(model: ViewModel, event: RunEvent): ViewModel {
  const next = { ...model, last: event.at, meter: countEvent(model.meter, event) };
  switch (event.kind) {
    case "run-started": {
      const { run, version, agents, parallel, budget, sandbox, epic = null, options = [] } = event;
      const started = {
        ...next,
        run,
        version,
        agents,
        parallel,
        budget,
        sandbox,
        epic,
        options,
        began: event.at,
        ended: null,
      };
      if (event.processes === undefined) return started;
      return tell(started, event.at, "note", `processes: ${event.processes}`);
    }
    case "plan":
      return { ...next, specs: withPlan(model.specs, event) };
    case "attempt-started":
      return {
        ...next,
        waiting: null,
        approvals: withoutApproval(model, event),
        limits: model.limits.filter(({ agent }) => agent !== event.agent),
        attempts: [...settleEarlier(model, event), begin(event)],
      };
    case "action":
      return change(next, event, { action: event.text });
    case "usage":
      return change(next, event, { spent: spentIn(event.spent) });
    case "retry":
      return change(next, event, { action: event.text });
    case "attempt-ended":
      return tellTrouble(endAttempt(next, event), event);
    case "verifying":
      return change(next, event, { verifying: event.command });
    case "done": {
      const { before, after, commit, class: is } = event;
      const proof = is === undefined ? {} : { class: is };
      const known = { state: "done", before, after, commit, doneAt: event.at, ...proof } as const;
      const settled = change(next, event, { verdict: "done", verifying: null });
      return changeTask(settled, event, known);
    }
    case "refused": {
      const reason = plainReason(event.task, event.reason);
      const settled = change(next, event, {
        verdict: "refused",
        verifying: null,
        reason,
      });
      if (event.claimed === false)
        return tell(settled, event.at, "trouble", `not done: ${reason}`, event.task);
      return tell(
        { ...settled, refusals: model.refusals + 1 },
        event.at,
        "refused",
        reason,
        event.task,
      );
    }
    case "merged":
      return tell(next, event.at, "merged", event.commit, event.task);
    case "conflict":
      return tell(next, event.at, "conflict", event.files.join(", "), event.task);
    case "question": {
      const { spec, task, id, text, options } = event;
      const others = model.questions.filter((one) => one.spec !== spec || one.id !== id);
      const asked = {
        ...next,
        questions: [...others, { spec, task, id, text, options, answer: null }],
      };
      const attempts = settleEarlier(model, event);
      return changeTask({ ...asked, attempts }, event, { state: "waits" });
    }
    case "answered":
      return answer(next, event);
    case "skipped":
      return changeTask(next, event, { state: "skipped" });
    case "approval": {
      const { spec, text, todo } = event;
      return { ...next, approvals: [...withoutApproval(model, event), { spec, text, todo }] };
    }
    case "approved":
      return { ...next, approvals: withoutApproval(model, event) };
    case "limit": {
      const { agent, until, text } = event;
      const others = model.limits.filter((one) => one.agent !== agent);
      return { ...next, limits: [...others, { agent, until, text }] };
    }
    case "agent-changed":
      return tell(
        next,
        event.at,
        "changed",
        `${event.from} → ${event.to}${event.why === "" ? "" : `: ${event.why}`}`,
      );
    case "waiting":
      return { ...next, waiting: { until: event.until, why: event.why } };
    case "budget":
      return tell(next, event.at, "budget", event.text);
    case "paused":
      return { ...next, paused: true };
    case "resumed":
      return { ...next, paused: false };
    case "swept":
      return event.count === 0 ? next : tell(next, event.at, "swept", String(event.count));
    case "note":
      return tell(next, event.at, "note", event.text);
    case "run-ended": {
      const { at, status, done, total, text } = event;
      const attempts = model.attempts.map((one) =>
        isCurrent(one) ? { ...one, verdict: "over" as const } : one,
      );
      return {
        ...next,
        attempts,
        waiting: null,
        paused: false,
        ended: { at, status, done, total, text },
      };
    }
  }
}

const withoutApproval = (
  { approvals }: ViewModel,
  { spec }: { readonly spec: string },
): ViewModel["approvals"] => approvals.filter((one) => one.spec !== spec);

type About = Pick<AttemptView, "spec" | "task" | "attempt">;

function begin(event: EventOf<"attempt-started">): AttemptView {
  const { at, spec, task, attempt, of, role, title, agent, model = null } = event;
  return { ...BEGUN, began: at, last: at, spec, task, attempt, of, role, title, agent, model };
}

const BEGUN = {
  action: "",
  verifying: null,
  spent: NOTHING,
  ending: null,
  verdict: null,
  reason: null,
} as const;

/** The last one with that number: a usage limit does not count as an attempt, so there may be several. */
const findAttempt = (attempts: readonly AttemptView[], { spec, task, attempt }: About): number =>
  attempts.findLastIndex(
    (one) => one.task === task && one.attempt === attempt && one.spec === spec,
  );

function change(
  model: ViewModel,
  event: About & { readonly at: string },
  more: Partial<AttemptView>,
): ViewModel {
  const index = findAttempt(model.attempts, event);
  const old = model.attempts[index];
  if (old === undefined) return model;
  return { ...model, attempts: model.attempts.with(index, { ...old, last: event.at, ...more }) };
}

/**
 * Only a finished turn is checked, and only if the agent has asked nothing. Documents and reviews have no Verify: they
 * count as done unless they are refused.
 */
function endAttempt(model: ViewModel, event: EventOf<"attempt-ended">): ViewModel {
  const { spec, task, ending, ms, spent } = event;
  const role = model.attempts[findAttempt(model.attempts, event)]?.role;
  const hasAsked = openQuestions(model).some((one) => one.spec === spec && one.task === task);
  const isUnchecked = role === "planning" || role === "review";
  const verdict = ending.kind !== "turn" || hasAsked ? "over" : isUnchecked ? "done" : null;
  return change(model, event, { ending, spent: { ...spentIn(spent), ms }, verdict });
}

/** Settles attempts that ended without a verdict: another agent has taken over. */
const settleEarlier = (
  { attempts }: ViewModel,
  { spec, task }: { readonly spec: string; readonly task: string },
): readonly AttemptView[] =>
  attempts.map((one) =>
    one.spec === spec && one.task === task && isCurrent(one) && one.ending !== null
      ? { ...one, verdict: "over" as const }
      : one,
  );

/** A limit has its own event, and users know what they stopped themselves. */
function tellTrouble(model: ViewModel, { at, ending, task }: EventOf<"attempt-ended">): ViewModel {
  if (ending.kind === "turn" || ending.kind === "limit") return model;
  if (ending.kind === "stopped" && ending.by === "user") return model;
  return tell(model, at, "trouble", describeEnding(ending), task);
}

const tell = (
  model: ViewModel,
  at: string,
  kind: News["kind"],
  text: string,
  task = "",
): ViewModel => ({ ...model, news: [...model.news, { at, kind, task, text }].slice(-MAX_NEWS) });

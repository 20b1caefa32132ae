import { EXECUTION } from "../layouts/layout.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { intentOf, type IntentId } from "../spec/intent.ts";
import { readGoal } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { noteIntent } from "./notes.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { withRun } from "./with-run.ts";

export interface IntentChange {
  readonly before: IntentId;
  readonly now: IntentId;
  /** Why the notes could not be changed. */
  readonly fault: string | undefined;
}

/**
 * Says what kind of work a spec is. An agent may judge that, since it changes only how much is asked and how tasks are
 * split; but not against what the user said.
 */
export const setIntent = (request: Request, spec: Spec, id: IntentId): IntentChange =>
  withRun(request, spec, ({ apply, loop, state }) => {
    const before = readIntent(readGoal(spec), state);
    const by = request.caller.authority === "agent" ? "agent" : "user";
    if (by === "agent" && before.by === "user") {
      throw new Refusal(
        "refused",
        `the user said that this is ${before.intent.noun}`,
        "plan for that, and tell the user if it does not fit",
      );
    }
    if (by === "agent" && state.phase === EXECUTION) {
      const fix = "work through it; the user may still change it";
      throw new Refusal("refused", "the plan is made, and the intent shapes only that", fix);
    }
    const fault = noteIntent(spec, { intent: intentOf(id), by, confidence: before.confidence });
    apply({
      event: "intent",
      note: `${id}, was ${before.intent.id}, set by the ${by}`,
      loop,
      state: { intent: id, intentBy: by },
    });
    return { before: before.intent.id, now: id, fault };
  });

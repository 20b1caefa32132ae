import type { Outlook } from "../facts/outlook.ts";
import type { Raw } from "../run/state.ts";
import type { Checklist } from "../spec/checklists.ts";
import type { Confidence, IntentId } from "../spec/intent.ts";
import type { Spec } from "../store/spec.ts";

/** What the user says about a spec when they start or resume it. */
export interface SpecOptions {
  /** Fields of the state that the user sets. */
  readonly fields: Raw;
  readonly intent: IntentId | undefined;
  /** The coordinator may replace a Verify without asking them. */
  readonly mayAmend?: boolean;
  /** What they add for the agents of the phase. */
  readonly said?: string;
}

export const NO_OPTIONS: SpecOptions = { fields: {}, intent: undefined };

/** The result of starting or resuming a spec. `prompt` and `fact` are for the agent. */
export type Step =
  | {
      readonly kind: "run";
      readonly spec: Spec;
      readonly prompt: string;
      readonly notes: readonly string[];
      /** What can be proven; not of a run that goes on. */
      readonly outlook?: Outlook;
      readonly open: number;
      readonly total: number;
      readonly run: string;
      readonly session: string | null;
      /** Ids of the tasks handed out first. */
      readonly next: readonly string[];
    }
  | {
      readonly kind: "nothing-to-do";
      readonly spec: Spec;
      readonly total: number;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: "phase";
      readonly spec: Spec;
      readonly prompt: string;
      readonly notes: readonly string[];
      readonly phase: string;
      readonly document: string;
      readonly agent: string;
      readonly quick: boolean;
      readonly intent: IntentId;
      /** How sure one can be, if it was read from the goal. */
      readonly confidence: Confidence | null;
      readonly session: string | null;
    }
  /** Checklists have open items, and the user has not said to start anyway: nothing was started. */
  | { readonly kind: "checklists"; readonly spec: Spec; readonly lists: readonly Checklist[] }
  /** The user decides: nothing was started. */
  | {
      readonly kind: "user-decides";
      readonly spec: Spec;
      readonly fact: string;
      /** The phase whose document waits for approval; undefined if a finished list waits to be run. */
      readonly phase?: string;
    };

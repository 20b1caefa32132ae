import { isOpen } from "../run/inbox.ts";
import { readInbox } from "../store/inbox.ts";
import { readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { sleepUntil } from "./sleep.ts";
import type { Stage } from "./stage.ts";

/** `leave`: nobody will answer, or the run was stopped. */
export type Waited = "go-on" | "leave" | "over-budget";

/** Watches what the user tells the run, through files, so that it works from any terminal. */
export interface UserWatch {
  readonly skips: (task: string) => AbortSignal;
  readonly waitForUser: () => Promise<Waited>;
  readonly end: () => void;
}

const LOOK_MS = 1000;

export function watchUser(stage: Stage, spec: Spec, isAttended: boolean): UserWatch {
  const atWork = new Map<string, AbortController>();
  const skipped = (): ReadonlySet<string> =>
    new Set(
      readInbox(spec)
        .entries.filter((entry) => entry.kind === "skip" && isOpen(entry))
        .map(({ task }) => task),
    );
  const timer = setInterval(() => {
    for (const task of skipped()) atWork.get(task)?.abort();
  }, LOOK_MS);
  timer.unref();
  const isPaused = (): boolean => {
    const { state } = readGlance(spec);
    return state.kind === "ok" && state.state.paused === true;
  };
  const waits = (): string => {
    const { state } = readGlance(spec);
    const isAsked = state.kind === "ok" && state.state.awaitingApproval === true;
    const open = readInbox(spec).entries.filter(isOpen);
    return JSON.stringify([isPaused(), isAsked, open.map(({ id }) => id)]);
  };
  return {
    skips(task) {
      const controller = new AbortController();
      atWork.set(task, controller);
      return controller.signal;
    },
    async waitForUser() {
      const { signal, emit, budget } = stage;
      const wasPaused = isPaused();
      if (!wasPaused && !isAttended) return "leave";
      if (wasPaused) emit({ kind: "paused" });
      const before = waits();
      while (waits() === before) {
        if (signal.aborted) return "leave";
        if (budget.check() !== undefined) return "over-budget";
        await sleepUntil(Date.now() + LOOK_MS, [signal]);
      }
      if (wasPaused && !isPaused()) emit({ kind: "resumed" });
      return "go-on";
    },
    end: () => clearInterval(timer),
  };
}

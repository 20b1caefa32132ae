import { isOpen } from "../run/inbox.ts";
import { readInbox } from "../store/inbox.ts";
import { faultIn } from "../store/read.ts";
import { readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Questions } from "./questions.ts";
import { sleepUntil } from "./sleep.ts";
import type { Stage } from "./stage.ts";

/** `leave`: nobody will answer, or the run was stopped. */
export type Waited = "go-on" | "leave" | "over-budget";

/** Watches what the user tells the run, through files, so that it works from any terminal. */
export interface UserWatch {
  /** Aborts if the user skips the task while it is worked on, or the run ends; then with the run's reason. */
  readonly signalFor: (task: string) => AbortSignal;
  readonly waitForUser: () => Promise<Waited>;
  readonly end: () => void;
}

const LOOK_MS = 1000;

export function watchUser(
  stage: Stage,
  spec: Spec,
  isAttended: boolean,
  { tell }: Pick<Questions, "tell">,
  approval: () => { readonly text: string; readonly todo: string } | undefined,
): UserWatch {
  const atWork = new Map<string, AbortController>();
  const openEntries = () => readInbox(spec).entries.filter(isOpen);
  const skipped = (): ReadonlySet<string> =>
    new Set(openEntries().flatMap(({ kind, task }) => (kind === "skip" ? [task] : [])));
  const timer = setInterval(() => {
    for (const task of skipped()) atWork.get(task)?.abort();
    // A file that cannot be read now is read again soon.
    faultIn(tell);
  }, LOOK_MS);
  timer.unref();
  const abortAll = (): void => {
    for (const one of atWork.values()) one.abort(stage.signal.reason);
  };
  stage.signal.addEventListener("abort", abortAll, { once: true });
  const isPaused = (): boolean => {
    const { state } = readGlance(spec);
    return state.kind === "ok" && state.state.paused === true;
  };
  const waits = (): string => {
    const { state } = readGlance(spec);
    const isAsked = state.kind === "ok" && state.state.awaitingApproval === true;
    return JSON.stringify([isPaused(), isAsked, openEntries().map(({ id }) => id)]);
  };
  return {
    signalFor(task) {
      const controller = new AbortController();
      atWork.set(task, controller);
      if (stage.signal.aborted) abortAll();
      return controller.signal;
    },
    async waitForUser() {
      const { signal, emit, budget } = stage;
      const wasPaused = isPaused();
      const asked = wasPaused ? undefined : approval();
      if (asked !== undefined) emit({ kind: "approval", spec: spec.name, ...asked });
      // Only the user knows when to unskip a task, so a run does not wait for that.
      const isAsked = asked !== undefined || openEntries().some(({ kind }) => kind === "question");
      if (!wasPaused && (!isAttended || !isAsked)) return "leave";
      if (wasPaused) emit({ kind: "paused" });
      const before = waits();
      while (waits() === before) {
        if (signal.aborted) return "leave";
        if (budget.check() !== undefined) return "over-budget";
        await sleepUntil(Date.now() + LOOK_MS, [signal]);
      }
      if (wasPaused && !isPaused()) emit({ kind: "resumed" });
      if (asked !== undefined && approval() === undefined)
        emit({ kind: "approved", spec: spec.name });
      return "go-on";
    },
    end() {
      clearInterval(timer);
      stage.signal.removeEventListener("abort", abortAll);
    },
  };
}

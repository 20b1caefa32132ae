import { answerQuestion, skipTask } from "../engine/inbox.ts";
import { pauseRun } from "../engine/pause-run.ts";
import { unpauseRun } from "../engine/pause-run.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { readInbox } from "../store/inbox.ts";
import type { Spec } from "../store/spec.ts";
import type { Controls } from "./controls.ts";

/**
 * Writes what a person tells a run into the files of its specs, which the run reads every second, so it works from any
 * terminal. `specs` are those that the run works on, as they are in its trees.
 */
export function fileControls(
  request: Request,
  specs: () => readonly Spec[],
  stop: () => void,
): Controls {
  const find = (name: string): Spec => {
    const found = specs().find((one) => one.name === name);
    if (found === undefined) throw new Refusal("missing", `the run has no ${name}`);
    return found;
  };
  return {
    pause: () => specs().forEach((spec) => pauseRun(request, spec)),
    resume: () => specs().forEach((spec) => unpauseRun(request, spec)),
    skip: (name, task) => void skipTask(request, find(name), task, "skipped in the live view"),
    answer(name, id, text) {
      const spec = find(name);
      const entry = readInbox(spec).entries.find((one) => one.id === id);
      if (entry === undefined) throw new Refusal("missing", `there is no question ${id}`);
      void answerQuestion(request, { spec, entry }, text);
    },
    stop,
  };
}

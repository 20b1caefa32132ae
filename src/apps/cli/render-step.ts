import type { Step } from "../../engine/step.ts";
import type { Result } from "./command.ts";

/** What the agent reads after a spec was started or resumed. */
export function renderStep(step: Step): Result {
  const { spec } = step;
  const json = { ok: true, spec: spec.name, path: spec.basePath };
  switch (step.kind) {
    case "run":
    case "phase": {
      const { kind: _, spec: __, prompt, ...facts } = step;
      return { text: [...step.notes, prompt].join("\n\n"), json: { ...json, ...facts } };
    }
    case "nothing-to-do":
      return {
        text: `Nothing to do: all ${step.total} tasks in ${spec.basePath}/tasks.md are ticked.`,
        json: { ...json, open: 0, total: step.total, next: [] },
      };
    case "user-decides": {
      const { phase } = step;
      const facts = phase === undefined ? { ready: true } : { phase, awaitingApproval: true };
      return {
        text: `${step.fact}\n\nTell the user this, and end your turn.`,
        json: { ...json, ...facts },
      };
    }
  }
}

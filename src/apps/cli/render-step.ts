import { isInClient, type Request } from "../../engine/request.ts";
import type { Step } from "../../engine/step.ts";
import type { Edition } from "../../layouts/layout.ts";
import { allOf } from "../../text/wording.ts";
import type { Result } from "./command.ts";

/** What the agent reads after a spec was started or resumed with `command`. */
export function renderStep(request: Request, command: string, step: Step): Result {
  const { spec } = step;
  const json = { ok: true, spec: spec.name, path: spec.basePath };
  switch (step.kind) {
    case "run":
    case "phase": {
      const { kind: _, spec: __, prompt, ...facts } = step;
      return {
        text: [...step.notes, prompt].join("\n\n"),
        json: { ...json, ...facts },
        ...forAgent(request, spec.project.layout, command),
      };
    }
    case "nothing-to-do": {
      const { all, are } = allOf(step.total, "task");
      return {
        text: `Nothing to do: ${all} in ${spec.basePath}/tasks.md ${are} ticked.`,
        json: { ...json, open: 0, total: step.total, next: [] },
      };
    }
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

/** A prompt is not to be broken into lines, and somebody in a shell should know whom it is for. */
export const forAgent = (
  request: Request,
  { voice }: Edition,
  command: string,
): Pick<Result, "verbatim" | "aside"> => ({
  verbatim: true,
  ...(isInClient(request)
    ? {}
    : {
        aside: `${request.program}: what follows is a prompt for a coding agent; to have one work on it, type ${voice.command(command)} in your client`,
      }),
});

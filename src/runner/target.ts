import { join } from "node:path";
import { freeName } from "../engine/create-spec.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveOrBeginProject, resolveSpec } from "../engine/resolve-spec.ts";
import { readStartFacts } from "../engine/start-facts.ts";
import { planStart } from "../spec/interpret-start.ts";
import { type Spec, specAt } from "../store/spec.ts";

/** What a run is to work on. With a goal, the spec does not exist yet: its first documents are written by the run. */
export interface Target {
  readonly spec: Spec;
  readonly goal?: string;
}

/** The words after `run` mean what they mean after `start`. */
export function resolveTarget(request: Request, words: readonly string[]): Target {
  const project = resolveOrBeginProject(request);
  const plan = planStart(words, false, readStartFacts(request, project));
  const { unit } = project.layout;
  switch (plan.kind) {
    case "go-on":
      return { spec: resolveSpec(request, plan.name) };
    case "new": {
      const goal = plan.goal ?? plan.name?.replaceAll("-", " ") ?? "";
      const wanted = { name: plan.name, goal, exact: false, folder: undefined, given: undefined };
      const name = freeName(request, project, { ...wanted, intent: undefined });
      return { spec: specAt(project, join(project.specsDirs[0] as string, name)), goal };
    }
    case "choose":
      throw new Refusal(
        "usage",
        `several ${unit}s are unfinished: ${plan.names.join(", ")}`,
        `name one: smart-ralph run ${plan.names[0]}`,
      );
    case "from-file":
    case "no-file":
      throw new Refusal(
        "usage",
        `a run begins with a ${unit} or a goal, not with a file`,
        `smart-ralph start ${plan.path} makes a ${unit} of it`,
      );
    case "ask":
      throw new Refusal(
        "usage",
        `there is no ${unit} to work on`,
        'say what you want: smart-ralph run "<goal in a sentence>"; or see it work: smart-ralph run --agent demo',
      );
  }
}

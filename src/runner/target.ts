import { join } from "node:path";
import { freeName } from "../engine/create-spec.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveEpic } from "../engine/resolve-epic.ts";
import { resolveOrBeginProject, resolveSpec } from "../engine/resolve-spec.ts";
import { readStartFacts } from "../engine/start-facts.ts";
import { type EpicPlace, findEpic } from "../epic/files.ts";
import { planStart } from "../spec/interpret-start.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { goOnCommand } from "./go-on.ts";
import { listHomes } from "./trees/homes.ts";

/**
 * What a run works on: an epic or a spec. With a goal, the spec does not exist yet, and the run writes its documents
 * first.
 */
export type Target = SpecTarget | { readonly epic: EpicPlace };

export interface SpecTarget {
  readonly spec: Spec;
  readonly goal?: string;
}

/** The words after `run` mean what they mean after `start`, or name an epic. */
export function resolveTarget(
  request: Request,
  words: readonly string[],
  epic: string | undefined,
  options: readonly string[] = [],
): Target {
  if (epic !== undefined && words.length > 0)
    throw new Refusal("usage", "name an epic or a spec, not both", "leave one of them out");
  if (epic !== undefined) return { epic: resolveEpic(request, epic) };
  const project = resolveOrBeginProject(request);
  const facts = readStartFacts(request, project);
  const [word = "", ...others] = words;
  if (others.length === 0 && word !== "" && !facts.isSpec(word)) {
    const found = findEpic(project, word);
    if (found.kind === "ok") return { epic: found.place };
  }
  // One word is a name: a goal has several. A spec that began as a goal may exist only in its run's tree.
  if (others.length === 0 && /^[\w.-]+$/.test(word) && !facts.isSpec(word))
    return {
      spec: listHomes(project).find(({ name }) => name === word) ?? resolveSpec(request, word),
    };
  const plan = planStart(words, false, facts);
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
        `name one: ${goOnCommand(plan.names.slice(0, 1), options)}`,
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

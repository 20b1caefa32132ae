import { join } from "node:path";
import { freeName } from "../engine/create-spec.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveEpic } from "../engine/resolve-epic.ts";
import { resolveOrBeginProject, resolvePlace } from "../engine/resolve-spec.ts";
import { findUntaken, listHomes } from "../engine/run-trees.ts";
import { readStartFacts } from "../engine/start-facts.ts";
import { placeOf } from "../engine/trunk-record.ts";
import { type EpicPlace, findEpic } from "../epic/files.ts";
import { hasBranch } from "../git/own-tree.ts";
import { planStart } from "../spec/interpret-words.ts";
import { listSpecs, type Spec, specAt } from "../store/spec.ts";
import { quoteName } from "../text/quote.ts";
import { suggest } from "../text/suggest.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { goOnCommand } from "./go-on.ts";

/**
 * What a run works on: an epic or a spec. With a goal, the spec does not exist yet, and the run writes its documents
 * first.
 */
export type Target = SpecTarget | { readonly epic: EpicPlace };

export interface SpecTarget {
  readonly spec: Spec;
  readonly goal?: string;
}

/** A word that no spec has as its name. It may be a goal: whoever typed it can say so. */
export interface UnknownName {
  readonly unknown: string;
  readonly unit: string;
  readonly goal: string;
}

const EXAMPLE = `${SHELL_PROGRAM} run "add rate limiting"`;

const goalIn = (name: string): string => name.replaceAll("-", " ");

/** Whether a run has done something that the user's branch does not have. */
const isUntaken = (home: Spec): boolean =>
  findUntaken(home) !== undefined && !hasBranch(home.project.root, placeOf(home)?.branch ?? "");

/** The words after `run` mean what they mean after `start`, or name an epic. */
export function resolveTarget(
  request: Request,
  words: readonly string[],
  epic: string | undefined,
  options: readonly string[] = [],
  isFresh = false,
): Target | UnknownName {
  if (epic !== undefined && words.length > 0)
    throw new Refusal("usage", "name an epic or a spec, not both", "leave one of them out");
  if (epic !== undefined) return { epic: resolveEpic(request, epic) };
  // A variable that is not set, in a script.
  if (words.length > 0 && words.join("").trim() === "")
    throw new Refusal("usage", "the goal is empty", `say what you want to build: ${EXAMPLE}`);
  const project = resolveOrBeginProject(request);
  const facts = readStartFacts(request, project);
  const [word = "", ...others] = words;
  const isAlone = others.length === 0 && word !== "" && !isFresh && !facts.isSpec(word);
  const found = isAlone ? findEpic(project, word) : undefined;
  if (found?.kind === "ok") return { epic: found.place };
  const plan = planStart(words, isFresh, facts);
  const { unit } = project.layout;
  // One word is a name: a goal has several. A spec that began as a goal may exist only in its run's tree.
  if (isAlone && plan.kind === "new" && /^[\w.-]+$/.test(word)) {
    const homes = listHomes(project);
    const spec = homes.find(({ name }) => name === word);
    if (spec !== undefined) return { spec };
    const meant = suggest(
      word,
      [...listSpecs(project), ...homes].map(({ name }) => name),
    );
    if (meant === undefined) return { unknown: word, unit, goal: goalIn(word) };
    throw new Refusal("missing", `there is no ${unit} "${word}"`, `did you mean ${meant}?`);
  }
  switch (plan.kind) {
    case "go-on":
      return { spec: resolvePlace(request, plan.name) };
    case "new": {
      const goal = plan.goal ?? goalIn(plan.name ?? "");
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
    case "no-file":
      throw new Refusal("missing", `${plan.path} does not exist`);
    case "from-file":
      throw new Refusal(
        "usage",
        `a run begins with a ${unit} or a goal, not with a file`,
        `smart-ralph start ${plan.path} makes a ${unit} of it`,
      );
    case "ask": {
      const done = listHomes(project).find(isUntaken);
      if (done !== undefined)
        throw new Refusal(
          "usage",
          `the run of ${quoteName(done.name)} is finished, and its work is not in your branch yet`,
          `${SHELL_PROGRAM} take ${quoteName(done.name)} brings it`,
        );
      throw new Refusal(
        "usage",
        `there is no ${unit} to work on`,
        `say what you want to build: ${EXAMPLE}; or see it work: ${SHELL_PROGRAM} run --agent demo`,
      );
    }
  }
}

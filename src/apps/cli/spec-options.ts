import { Refusal } from "../../engine/refusal.ts";
import type { SpecOptions } from "../../engine/step.ts";
import { INTENT_IDS } from "../../spec/intent.ts";
import { GRANULARITIES } from "../../tasks/granularity.ts";
import { stringOption } from "./arguments.ts";
import type { Input, Option } from "./command.ts";

const SIZES = Object.keys(GRANULARITIES);

/** How a spec is written; each can also be changed on resume. */
export const SPEC_OPTIONS = {
  quick: { summary: "all phases without questions and approvals, then execution" },
  "tasks-size": { value: SIZES.join("|"), choices: SIZES, summary: "how small tasks are" },
  intent: {
    value: INTENT_IDS.join("|"),
    choices: INTENT_IDS,
    summary: "what kind of work it is; by default suggested by the words of the goal",
  },
  small: {
    summary:
      "the short way: one planning document, then the tasks; quick mode takes it for a small goal",
  },
  full: { summary: "all phases, even if the goal is small" },
  "commit-spec": { summary: "commit each document when it is finished" },
  "no-commit-spec": { summary: "leave the documents uncommitted" },
} as const satisfies Record<string, Option>;

const CONTRADICTIONS = [["small", "full"] as const, ["commit-spec", "no-commit-spec"] as const];

/** What the command line says about a spec. */
export function readSpecOptions(input: Input): SpecOptions {
  const { options } = input;
  const size = oneOf(input, "tasks-size", SIZES);
  const intent = oneOf(input, "intent", INTENT_IDS);
  for (const [one, other] of CONTRADICTIONS)
    if (options[one] === true && options[other] === true)
      throw new Refusal("usage", `--${one} and --${other} contradict each other`);
  const fields = {
    ...(options["quick"] === true ? { quickMode: true } : {}),
    ...(size === undefined ? {} : { granularity: size }),
    ...(intent === undefined ? {} : { intent, intentBy: "user" }),
    ...(options["small"] === true ? { small: true } : {}),
    ...(options["full"] === true ? { small: false } : {}),
    ...(options["commit-spec"] === true ? { commitSpec: true } : {}),
    ...(options["no-commit-spec"] === true ? { commitSpec: false } : {}),
  };
  return { fields, intent, ...(options["allow-amend"] === true ? { mayAmend: true } : {}) };
}

function oneOf<const T extends string>(
  input: Input,
  name: string,
  known: readonly T[],
): T | undefined {
  const said = stringOption(input, name);
  const found = known.find((one) => one === said);
  if (said === undefined || found !== undefined) return found;
  throw new Refusal("usage", `--${name} takes ${known.join(", ")}, not "${said}"`);
}

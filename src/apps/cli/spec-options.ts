import { INTENTS, type IntentId } from "../../spec/intent.ts";
import { GRANULARITIES } from "../../tasks/granularity.ts";
import type { Raw } from "../../run/state.ts";
import type { Settings } from "../../run/settings.ts";
import { stringOption } from "./arguments.ts";
import { CliError, EXIT, type Input, type Option } from "./command.ts";

const INTENT_IDS = INTENTS.map(({ id }) => id);

/** How a spec is to be written; each may also be changed when it is taken up again. */
export const WISH_OPTIONS = {
  quick: { type: "boolean", summary: "all phases without questions and approvals, then execution" },
  "tasks-size": { type: "string", value: "fine|coarse", summary: "how finely tasks are cut" },
  intent: {
    type: "string",
    value: INTENT_IDS.join("|"),
    summary: "what kind of work it is; by default told from the goal",
  },
  "commit-spec": { type: "boolean", summary: "commit each document when it is finished" },
  "no-commit-spec": { type: "boolean", summary: "leave the documents uncommitted" },
} as const satisfies Record<string, Option>;

/** What the command line says, as the state has it. */
export function statedWishes(input: Input): Raw {
  const { options } = input;
  const size = oneOf(input, "tasks-size", Object.keys(GRANULARITIES));
  const intent = statedIntent(input);
  if (options["commit-spec"] === true && options["no-commit-spec"] === true) {
    throw new CliError(EXIT.usage, "--commit-spec and --no-commit-spec contradict each other");
  }
  return {
    ...(options["quick"] === true ? { quickMode: true } : {}),
    ...(size === undefined ? {} : { granularity: size }),
    ...(intent === undefined ? {} : { intent }),
    ...(options["commit-spec"] === true ? { commitSpec: true } : {}),
    ...(options["no-commit-spec"] === true ? { commitSpec: false } : {}),
  };
}

/** The same for a new spec: what the command line does not say, the settings do. */
export const allWishes = (input: Input, settings: Settings): Raw => ({
  quickMode: settings.quick,
  granularity: settings.granularity,
  commitSpec: settings.commitSpec,
  ...statedWishes(input),
});

export const statedIntent = (input: Input): IntentId | undefined =>
  oneOf(input, "intent", INTENT_IDS);

function oneOf<const T extends string>(
  input: Input,
  name: string,
  known: readonly T[],
): T | undefined {
  const said = stringOption(input, name);
  const found = known.find((one) => one === said);
  if (said === undefined || found !== undefined) return found;
  throw new CliError(EXIT.usage, `--${name} takes ${known.join(", ")}, not "${said}"`);
}

import type { Limits } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import {
  type AgentChoice,
  CHOICE_EXAMPLE,
  isModel,
  parseAgentChoices,
  withoutRepeats,
  WORK_KINDS,
} from "../run/agent-choice.ts";
import {
  MAX_PARALLEL,
  parseParallel,
  type RunSettings,
  type SandboxKind,
  SANDBOXES,
  type StatedBudget,
} from "../run/run-settings.ts";
import { parseCount, parseDuration, parseUsd } from "../text/quantity.ts";
import type { Budget, Role } from "./events.ts";
import { repeatOptions } from "./go-on.ts";

/** The options of a run: the command line overrides the user's settings, which override the defaults. */
export interface RunOptions extends Omit<
  RunSettings,
  "agents" | "agentsFor" | "budget" | "taskBudget" | "wallMs" | "silentMs"
> {
  /** For each kind of work, in the order in which they are tried. Empty: the first agent that is ready. */
  readonly agents: Readonly<Record<Role, readonly AgentChoice[]>>;
  /** The model to use with whichever agent is ready, where none was named. */
  readonly model: string | undefined;
  readonly budget: Budget;
  readonly taskBudget: Budget;
  /** For one attempt. */
  readonly limits: Limits;
  /** Whether to work in the user's own tree. */
  readonly here: boolean;
  readonly mayAmend: boolean;
  /** `auto`: the live view in a terminal, lines elsewhere. */
  readonly output: "auto" | "plain" | "json";
  /** Command-line options that the next run needs too. */
  readonly given: readonly string[];
}

/** The options as they were typed. */
export type GivenOptions = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

/** Between the steps of a stop. */
const GRACE_MS = 3000;

export function parseRunOptions(given: GivenOptions, settings: RunSettings): RunOptions {
  const isSet = (name: string): boolean => given[name] === true;
  /** The value of an option as `parse` understands it. */
  const read = <T>(
    name: string,
    takes: string,
    parse: (text: string) => T | undefined,
  ): T | undefined => {
    const text = given[name];
    if (typeof text !== "string") return undefined;
    const value = parse(text.trim());
    if (value === undefined) throw new Refusal("usage", `--${name} takes ${takes}, not "${text}"`);
    return value;
  };
  const budget = (prefix: string, stated: StatedBudget): Budget =>
    stripUndefined({
      usd: read(`${prefix}-cost`, "US dollars, such as 5 or 2.50", parseUsd) ?? stated.usd,
      tokens: read(`${prefix}-tokens`, "a number such as 500k or 2m", parseCount) ?? stated.tokens,
      ms: read(`${prefix}-time`, "a time such as 90s, 10m or 6h", parseDuration) ?? stated.ms,
    });
  refuseBoth(given, "wait", "no-wait");
  refuseBoth(given, "json", "plain");
  const agents = read("agent", `names such as ${CHOICE_EXAMPLE}`, parseAgentChoices);
  const model = read("model", "the name of a model", (text) => (isModel(text) ? text : undefined));
  const sandbox =
    read("sandbox", "one of " + SANDBOXES.join(", "), (text) =>
      SANDBOXES.find((kind) => kind === text),
    ) ?? settings.sandbox;
  const network = !isSet("no-network") && settings.network;
  requireSandbox(sandbox, settings.image, network);
  const { agentsFor: _, wallMs, silentMs, ...same } = settings;
  return {
    ...same,
    agents: chooseAgents(settings, agents, model),
    model,
    parallel:
      read("parallel", `a number from 1 to ${MAX_PARALLEL}`, parseParallel) ?? settings.parallel,
    budget: budget("max", settings.budget),
    taskBudget: budget("max-task", settings.taskBudget),
    limits: { wallMs, silentMs, graceMs: GRACE_MS },
    sandbox,
    network,
    here: isSet("here"),
    waits: isSet("wait") || (!isSet("no-wait") && settings.waits),
    mayAmend: isSet("allow-amend"),
    output: isSet("json") ? "json" : isSet("plain") ? "plain" : "auto",
    given: repeatOptions(given),
  };
}

/** Agents on the command line do everything; those in the settings may depend on the kind of work. */
function chooseAgents(
  { agents, agentsFor }: RunSettings,
  given: readonly AgentChoice[] | undefined,
  model: string | undefined,
): RunOptions["agents"] {
  const [first] = given ?? agents;
  const choose = (kind: Role): readonly AgentChoice[] => {
    const choices = given ?? withoutRepeats([...agentsFor[kind], ...agents]);
    if (model === undefined) return choices;
    // `--model` is for the first agent: others would not know a model of that name.
    return choices.map((one) => (one.agent === first?.agent ? { ...one, model } : one));
  };
  return Object.fromEntries(WORK_KINDS.map((kind) => [kind, choose(kind)])) as RunOptions["agents"];
}

function refuseBoth(given: GivenOptions, one: string, other: string): void {
  if (given[one] === true && given[other] === true)
    throw new Refusal("usage", `--${one} and --${other} contradict each other`, "leave one out");
}

/** What cannot be enforced is refused, not ignored. */
function requireSandbox(kind: SandboxKind, image: string | undefined, network: boolean): void {
  if ((kind === "own" || kind === "none") && !network)
    throw new Refusal(
      "usage",
      "the network cannot be switched off without a sandbox",
      "add --sandbox bwrap, docker or podman",
    );
  if ((kind === "docker" || kind === "podman") && image === undefined)
    throw new Refusal(
      "usage",
      `--sandbox ${kind} needs an image that contains the agent`,
      "name it in your own settings: run_image: my/image",
    );
}

const stripUndefined = (values: StatedBudget): Budget =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

import type { Limits } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import { type AgentChoice, isModel, withoutRepeats, WORK_KINDS } from "../run/agent-choice.ts";
import type { SandboxKind } from "../run/run-settings.ts";
import { RUN_SETTINGS, type RunSettings, type StatedRunSettings } from "../run/run-settings.ts";
import { mapSettings, overlay } from "../run/setting.ts";
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
  refuseBoth(given, "wait", "no-wait");
  refuseBoth(given, "json", "plain");
  const said = readGiven(given);
  const model = textOf(given, "model");
  if (model !== undefined && !isModel(model)) throw wrong("model", "the name of a model", model);
  const network = !isSet("no-network") && settings.network;
  const { agentsFor: _, wallMs, silentMs, ...same } = overlay(RUN_SETTINGS, settings, said);
  requireSandbox(same.sandbox, same.image, network);
  return {
    ...same,
    agents: chooseAgents(settings, said.agents, model),
    model,
    budget: stripUndefined(same.budget),
    taskBudget: stripUndefined(same.taskBudget),
    limits: { wallMs, silentMs, graceMs: GRACE_MS },
    network,
    here: isSet("here"),
    waits: isSet("wait") || (!isSet("no-wait") && settings.waits),
    mayAmend: isSet("allow-amend"),
    output: isSet("json") ? "json" : isSet("plain") ? "plain" : "auto",
    given: repeatOptions(given),
  };
}

/** What the options say that override settings. */
const readGiven = (given: GivenOptions): StatedRunSettings =>
  mapSettings(RUN_SETTINGS, ({ kind, option = "" }) => {
    const [name = ""] = option.split(" ");
    const text = textOf(given, name);
    const refuse = (): never => {
      throw wrong(name, kind.takes, text);
    };
    return text === undefined ? undefined : kind.read([text], refuse);
  }) as StatedRunSettings;

function textOf(given: GivenOptions, name: string): string | undefined {
  const text = given[name];
  return typeof text === "string" ? text.trim() : undefined;
}

const wrong = (name: string, takes: string, text = ""): Refusal =>
  new Refusal("usage", `--${name} takes ${takes}, not "${text}"`);

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
    return withoutRepeats(
      choices.map((one) => (one.agent === first?.agent ? { ...one, model } : one)),
    );
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

const stripUndefined = (values: RunSettings["budget"]): Budget =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

import { parseCount, parseDuration, parseUsd } from "../text/quantity.ts";
import { parseSimpleCommand } from "../text/simple-command.ts";
import {
  AGENT_NAME,
  type AgentChoice,
  LIST_EXAMPLE,
  ONE_EXAMPLE,
  parseAgentChoices,
  withoutRepeats,
  WORK_KINDS,
  type WorkKind,
} from "./agent-choice.ts";
import { parsePrice, type Price } from "./prices.ts";
import { type SettingValues, settingValues } from "./setting-values.ts";

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export interface AcpCommand {
  readonly id: string;
  readonly command: readonly string[];
}

/** Limits on spending; what is undefined has no limit. */
export interface StatedBudget {
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
  readonly ms?: number | undefined;
}

/** `own`: the agent's own sandbox, if it has one. `none`: not even that. */
export const SANDBOXES = ["own", "none", "bwrap", "docker", "podman"] as const;
export type SandboxKind = (typeof SANDBOXES)[number];
/** The sandboxes that we provide. */
export type BoxKind = Exclude<SandboxKind, "own" | "none">;

/** Settings of `smart-ralph run`. They name programs, addresses and limits, so only the user's own file counts. */
export interface RunSettings {
  /** In the order in which they are tried; empty: the first one that is ready. */
  readonly agents: readonly AgentChoice[];
  /** Tried before `agents` for one kind of work. */
  readonly agentsFor: Readonly<Record<WorkKind, readonly AgentChoice[]>>;
  readonly acp: readonly AcpCommand[];
  readonly parallel: number;
  readonly budget: StatedBudget;
  readonly taskBudget: StatedBudget;
  readonly wallMs: number;
  readonly silentMs: number;
  readonly busyMs: number;
  /** Whether to wait for the end of a usage limit if no other agent can work. */
  readonly waits: boolean;
  readonly sandbox: SandboxKind;
  readonly image: string | undefined;
  readonly network: boolean;
  /** Whether what is started gets a PID namespace of its own, if the system has them. */
  readonly namespace: boolean;
  /** More writable folders in a sandbox: `~/.cargo`. */
  readonly writable: readonly string[];
  /** More names of variables that agents get. */
  readonly env: readonly string[];
  readonly setup: string | undefined;
  readonly share: readonly string[];
  readonly notify: string | undefined;
  readonly notifyUrl: string | undefined;
  readonly prices: readonly Price[];
}

/** Each setting with its description: checked by `doctor`, printed in the docs. */
export const RUN_SETTINGS: Readonly<Record<string, string>> = {
  agents: `agents that may work, in the order in which they are tried, each with an optional model: ${LIST_EXAMPLE}; without it, the first one that is ready`,
  agent_planning: `for documents, before the others: ${ONE_EXAMPLE}, or a list`,
  agent_execution: "for tasks, likewise",
  agent_verification: "for [VERIFY] tasks, likewise",
  agent_review: "for the last review, likewise",
  agent_merge: "for conflicts between tasks that ran at the same time, likewise",
  acp: "more agents that speak the Agent Client Protocol, each as name=command line: [kimi=kimi acp]",
  run_parallel: "tasks of a [P] group that may run at the same time (1)",
  run_max_cost: "US dollars that a run may cost: 5",
  run_max_tokens: "tokens that a run may use, cached input included: 500k, 2m",
  run_max_time: "time that a run may take: 90s, 10m, 6h",
  run_task_max_cost: "the same for one task, all attempts together",
  run_task_max_tokens: "the same for one task, all attempts together",
  run_task_max_time: "the same for one task, all attempts together",
  run_wall: "time that one attempt may take (60m)",
  run_silence: "time that an agent may work without a sign of life (15m)",
  run_busy:
    "time for which a run asks an agent again whose service is busy; then the next agent, and then a question (6h)",
  run_wait:
    "whether a run waits when every agent has reached its usage limit; false: it ends with code 7 (true)",
  run_sandbox:
    "what agents and Verify commands run in: bwrap, docker, podman; own: the agent's own sandbox, if it has one; none: not even that (own)",
  run_image: "image of the container for docker and podman; it has to contain the agent",
  run_network: "off: no network for agents and Verify commands; needs a sandbox (on)",
  run_namespace:
    "off: no PID namespaces for what a run starts, on Linux; for tools that need sudo or other processes (on)",
  run_writable:
    "more folders that can be written to in a sandbox, besides the work tree and the agent's own folders: [~/.cargo]",
  run_env: "more of your environment variables that agents get: [NPM_TOKEN, AWS_*]",
  run_setup: "command that prepares a new work tree, such as `npm ci`",
  run_share:
    "more folders that git ignores and that a new work tree gets from yours, besides node_modules, .venv, vendor, target and the like: [.cache]",
  notify: "command that is told what happens: a JSON object on its standard input",
  notify_url: "address that the same JSON is posted to",
  prices:
    "US dollars per million tokens, for agents that do not report their cost: model, input, output and, optionally, cached input: [gpt-5* 1.25 10 0.125]",
};

const NO_AGENTS: readonly AgentChoice[] = [];

export const defaultRunSettings: RunSettings = {
  agents: NO_AGENTS,
  agentsFor: {
    planning: NO_AGENTS,
    execution: NO_AGENTS,
    verification: NO_AGENTS,
    review: NO_AGENTS,
    merge: NO_AGENTS,
  },
  acp: [],
  parallel: 1,
  budget: {},
  taskBudget: {},
  wallMs: 60 * 60_000,
  // A long test run looks silent: some agents show a command's output only when it has ended.
  silentMs: 15 * 60_000,
  busyMs: 6 * 60 * 60_000,
  waits: true,
  sandbox: "own",
  image: undefined,
  network: true,
  namespace: true,
  writable: [],
  env: [],
  setup: undefined,
  share: [],
  notify: undefined,
  notifyUrl: undefined,
  prices: [],
};

export const MAX_PARALLEL = 32;

/** The settings in one file. Anything missing or not understood is undefined. */
export type StatedRunSettings = {
  readonly [K in keyof RunSettings]?: RunSettings[K] | undefined;
};

export const fillRunDefaults = (said: StatedRunSettings): RunSettings => ({
  ...defaultRunSettings,
  ...(Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  ) as Partial<RunSettings>),
});

export const parseRunSettings = (text: string): StatedRunSettings =>
  readRunSettings(settingValues(text, Object.keys(RUN_SETTINGS)));

export function readRunSettings(values: SettingValues): StatedRunSettings {
  const { exact, flag, items, one, oneOf } = values;
  const choices = (key: string): readonly AgentChoice[] | undefined => {
    const all = items(key, parseAgentChoices)?.flat();
    return all === undefined || all.length === 0 ? undefined : withoutRepeats(all);
  };
  const budget = (prefix: string): StatedBudget => ({
    usd: one(`${prefix}_cost`, parseUsd),
    tokens: one(`${prefix}_tokens`, parseCount),
    ms: one(`${prefix}_time`, parseDuration),
  });
  return {
    agents: choices("agents"),
    agentsFor: Object.fromEntries(
      WORK_KINDS.map((kind) => [kind, choices(`agent_${kind}`) ?? NO_AGENTS]),
    ) as RunSettings["agentsFor"],
    acp: items("acp", parseAcp),
    parallel: one("run_parallel", parseParallel),
    budget: budget("run_max"),
    taskBudget: budget("run_task_max"),
    wallMs: one("run_wall", parseDuration),
    silentMs: one("run_silence", parseDuration),
    busyMs: one("run_busy", parseDuration),
    waits: flag("run_wait"),
    sandbox: oneOf("run_sandbox", SANDBOXES),
    image: exact("run_image", parseImage),
    network: flag("run_network"),
    namespace: flag("run_namespace"),
    writable: items("run_writable", parsePlace),
    env: items("run_env", parseNames)?.flat(),
    setup: exact("run_setup", parseLine),
    share: items("run_share", parseFolder),
    notify: exact("notify", parseLine),
    notifyUrl: exact("notify_url", parseUrl),
    prices: items("prices", parsePrice),
  };
}

export function parseParallel(text: string): number | undefined {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= MAX_PARALLEL ? value : undefined;
}

/** The command is split into words here; no shell ever sees it. */
function parseAcp(text: string): AcpCommand | undefined {
  const [, id = "", line = ""] = /^\s*([^=\s]+)\s*=([\s\S]*)$/.exec(text) ?? [];
  const command = parseSimpleCommand(line.trim());
  return AGENT_NAME.test(id) && command !== undefined ? { id, command } : undefined;
}

/** Names of variables; a `*` at the end stands for anything. */
function parseNames(text: string): readonly string[] | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  return names.length > 0 && names.every((name) => /^[A-Za-z_]\w*\*?$/.test(name))
    ? names
    : undefined;
}

/** Must not look like an option of docker or podman. */
const parseImage = (text: string): string | undefined =>
  /^[\w][\w./:@-]{0,254}$/.test(text) ? text : undefined;

const parseLine = (text: string): string | undefined =>
  text === "" || text.includes("\0") ? undefined : text;

/** Absolute, or in the home: a relative path would depend on where the run is started. */
const parsePlace = (text: string): string | undefined =>
  /^(?:~\/|\/)[^\0]+$/.test(text) ? text : undefined;

/** A relative path inside the project, outside `.git`. */
const parseFolder = (text: string): string | undefined =>
  /^(?!\/)[^\0\\]+$/.test(text) &&
  !text.split("/").some((part) => /^(?:\.{0,2}|\.git)$/i.test(part))
    ? text
    : undefined;

const parseUrl = (text: string): string | undefined =>
  /^https?:\/\/[^\s/?#]\S*$/i.test(text) ? text : undefined;

import { CHOICE_EXAMPLE, ONE_EXAMPLE } from "./agent-choice.ts";
import { MAX_PARALLEL, RUN_SETTINGS } from "./run-settings.ts";
import { listSettings, mapSettings, type Setting, type SettingTable } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import { LIMITS } from "./state.ts";

/** A setting as people meet it. */
export interface SettingHelp extends Setting {
  readonly help: string;
  /** Empty if there is none. */
  readonly byDefault: string;
  readonly group: string;
}

type Texts<T> = { readonly [K in keyof T]: T[K] extends Setting ? string : Texts<T[K]> };

/** Not in the tables themselves: a stop reads one of them, and needs no help. */
const HELP: Texts<typeof SETTINGS & typeof RUN_SETTINGS> = {
  enabled: "false switches the plugin off in this project",
  specsDirs: "folders that hold specs; the first is the default and holds the pointer",
  stallLimit: "continuations in a row that may move nothing before the loop stops",
  evidence:
    "required: a task is done only if its Verify command passes when we run it; recorded: it is run and noted; off",
  verifyTimeoutSeconds: "seconds that one Verify command may take",
  verifyAllow: "prefixes of the Verify commands that may run; without it, any",
  commit: "required: a task is done only once its work is committed; off",
  verifyBefore:
    "whether a Verify is tried once before the work begins: one that passes then can be checked, but not proven",
  strict:
    "true: implement and run begin only if every open task can be proven or is a check by design",
  proveSetup:
    "command that prepares the clean work tree of prove, such as `npm ci`; without it run_setup, or copies of your installed folders; from the project's file only with --setup",
  commitSpec: "whether the documents of a new spec are committed",
  quick: "true: start goes through all phases without asking",
  granularity: "fine or coarse tasks",
  branch: "what a new spec gets: none, branch, worktree, or auto: a branch in quick mode",
  review:
    "whether the whole change is reviewed against the requirements before a run ends: on, off, or auto: in quick mode",
  maxAttempts: `attempts at one task; without it, ${LIMITS.maxTaskIterations}`,
  weights: {
    unblocks: "with --by-score: weight of each task that a task unblocks",
    uncertainty: "with --by-score: weight of its uncertainty",
    impact: "with --by-score: weight of its impact",
    blocker: "with --by-score: points for [BLOCKER]",
    risky: "with --by-score: points for [RISKY]",
    highValue: "with --by-score: points for [HIGH-VALUE]",
    trivial: "with --by-score: points for [TRIVIAL]",
  },
  files: "changes outside a task's Files: report, enforce (refuse), off",
  agents: `agents that may work, each with an optional model: ${CHOICE_EXAMPLE}; the next takes over when one cannot work; without it, the first one that is ready`,
  agentsFor: {
    planning: `agents for documents, tried before the others: ${ONE_EXAMPLE}, or a list`,
    execution: "agents for tasks, tried before the others",
    verification: "agents for [VERIFY] tasks, tried before the others",
    review: "agents for the last review, tried before the others",
    merge: "agents for conflicts between tasks that ran at the same time, tried before the others",
  },
  acp: "more agents that speak the Agent Client Protocol, each as name=command line: [kimi=kimi acp]",
  parallel: `agents at the same time, for tasks of a [P] group or specs of an epic; up to ${MAX_PARALLEL}`,
  budget: {
    usd: "US dollars that a run may cost: 5",
    tokens: "tokens that a run may use, cached input included: 500k, 2m",
    ms: "time that a run may take: 90s, 10m, 6h",
  },
  taskBudget: {
    usd: "US dollars that one task may cost, all attempts together",
    tokens: "tokens that one task may use, all attempts together",
    ms: "time that one task may take, all attempts together",
  },
  wallMs: "time that one attempt may take",
  silentMs: "time that an agent may work without a sign of life",
  busyMs:
    "time for which a run asks an agent again whose service is busy; then the next agent, and then a question",
  waits:
    "whether a run waits when every agent has reached its usage limit; false: it ends with code 7",
  awake:
    "off: the machine may go to sleep while a run works; else systemd-inhibit or caffeinate keeps it awake, if there",
  minFree: "disk space below which a run starts no agent: 500MB, 2GB; off: it does not look",
  sandbox:
    "what agents and Verify commands run in: bwrap, docker, podman; own: the agent's own sandbox, if it has one; none: not even that",
  image: "image of the container for docker and podman; it has to contain the agent",
  network: "off: no network for agents and Verify commands; needs a sandbox",
  namespace:
    "off: no PID namespaces for what a run starts, on Linux; for tools that need sudo or other processes",
  writable:
    "more folders that can be written to in a sandbox, besides the work tree and the agent's own folders: [~/.cargo]",
  env: "more of your environment variables that agents get: [NPM_TOKEN, AWS_*]",
  setup: "command that prepares a new work tree, such as `npm ci`",
  share:
    "more folders that git ignores and that a new work tree gets from yours, besides node_modules, .venv, vendor, target and the like: [.cache]",
  notify: "command that is told what happens: a JSON object on its standard input",
  notifyUrl: "address that is told what happens: the same JSON object, posted to it",
  prices:
    "US dollars per million tokens, for agents that do not report their cost: model, input, output and, optionally, cached input: [gpt-5* 1.25 10 0.125]",
};

/** The setting that each group begins with. */
const GROUPS: Readonly<Record<string, string>> = {
  enabled: "General",
  evidence: "Proof",
  stall_limit: "Limits",
  auto_commit_spec: "New specs",
  weight_unblocks: "Order of tasks",
  agents: "Agents of run",
  run_parallel: "Limits of run",
  run_sandbox: "Sandbox of run",
  run_setup: "Work trees of run",
  notify: "Notifications and prices of run",
};

function withHelp(table: SettingTable): readonly SettingHelp[] {
  let group = "";
  const visit = (row: Setting, help: unknown): Setting => {
    group = GROUPS[row.name] ?? group;
    const byDefault = row.usual === "[]" ? "" : (row.usual ?? "");
    return { ...row, help, byDefault, group } as SettingHelp;
  };
  return listSettings(mapSettings(table, visit, HELP) as SettingTable) as SettingHelp[];
}

export const SETTINGS_HELP = withHelp(SETTINGS);
export const RUN_SETTINGS_HELP = withHelp(RUN_SETTINGS);
export const ALL_SETTINGS = [...SETTINGS_HELP, ...RUN_SETTINGS_HELP];

/** What it does and, in parentheses, its default. */
export const describeSetting = ({ help, byDefault }: SettingHelp): string =>
  byDefault === "" ? help : `${help} (${byDefault})`;

export const findSetting = (key: string): SettingHelp | undefined =>
  ALL_SETTINGS.find(({ name }) => name === key);

/** What counts of it in a project's file. */
export const describeRule = ({ project, kind: { choices = [] } }: SettingHelp): string =>
  ({
    never: "ignored",
    free: "counts",
    false: "only false counts",
    true: "only true counts",
    lower: "only a lower number counts",
    stricter: `only a stricter value counts, in the order ${choices.join(", ")}`,
    inside: "folders inside the project count, and those that your own file names",
    both: "a command has to match both lists",
  })[project];

import { parseCount, parseDuration, parseSize, parseUsd } from "../text/quantity.ts";
import { parseSimpleCommand } from "../text/simple-command.ts";
import {
  AGENT_NAME,
  type AgentChoice,
  CHOICE_EXAMPLE,
  parseAgentChoices,
  withoutRepeats,
} from "./agent-choice.ts";
import { parsePrice } from "./prices.ts";
import {
  defaultsOf,
  exact,
  flag,
  frontMatterFor,
  type Kind,
  line,
  list,
  oneOf,
  overlay,
  readSettings,
  setting,
  type StatedOf,
  type ValuesOf,
  word,
} from "./setting.ts";

export const MAX_PARALLEL = 32;

const choices = list(`names such as ${CHOICE_EXAMPLE}`, parseAgentChoices);
const agents: Kind<readonly AgentChoice[]> = {
  ...choices,
  read: (said, misread) => withoutRepeats(choices.read(said, misread) ?? []),
};
const parallel = word(`a number from 1 to ${MAX_PARALLEL}`, (text) => {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= MAX_PARALLEL ? value : undefined;
});
const usd = word("US dollars, such as 5 or 2.50", parseUsd);
const tokens = word("a number such as 500k or 2m", parseCount);
const time = word("a time such as 90s, 10m or 6h", parseDuration);

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export interface AcpCommand {
  readonly id: string;
  readonly command: readonly string[];
}

/** The command is split into words here; no shell ever sees it. */
const acp = list("a list such as [kimi=kimi acp]", (text): AcpCommand | undefined => {
  const [, id = "", rest = ""] = /^\s*([^=\s]+)\s*=([\s\S]*)$/.exec(text) ?? [];
  const command = parseSimpleCommand(rest.trim());
  return AGENT_NAME.test(id) && command !== undefined ? { id, command } : undefined;
});

/** `own`: the agent's own sandbox, if it has one. `none`: not even that. */
const sandbox = oneOf("own", "none", "bwrap", "docker", "podman");
export type SandboxKind = (typeof sandbox.choices)[number];
/** The sandboxes that we provide. */
export type BoxKind = Exclude<SandboxKind, "own" | "none">;

const matching =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.test(text) ? text : undefined;

/** Must not look like an option of docker or podman. */
const image = exact("the name of an image", matching(/^[\w][\w./:@-]{0,254}$/));

/** Absolute, or in the home: a relative path would depend on where the run is started. */
const places = list("folders such as [~/.cargo]", matching(/^(?:~\/|\/)[^\0]+$/));

/** Names of variables; a `*` at the end stands for anything. */
const variables = list("names such as [NPM_TOKEN, AWS_*]", (text) => {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  return names.length > 0 && names.every((name) => /^[A-Za-z_]\w*\*?$/.test(name))
    ? names
    : undefined;
});

/** Relative paths inside the project, outside `.git`. */
const folders = list("folders such as [.cache]", (text) =>
  /^(?!\/)[^\0\\]+$/.test(text) &&
  !text.split("/").some((part) => /^(?:\.{0,2}|\.git)$/i.test(part))
    ? text
    : undefined,
);

const url = exact(
  "an address that starts with http:// or https://",
  matching(/^https?:\/\/[^\s/?#]\S*$/i),
);

const bytes = word("a size such as 500MB or 2GB, or off", (said) =>
  said === "off" ? 0 : parseSize(said),
);

const prices = list("a list such as [gpt-5* 1.25 10 0.125]", parsePrice);

/**
 * The settings of `smart-ralph run`, one row each; what they do is in `settings-help.ts`. They name programs, addresses
 * and limits, so only the user's own file counts.
 */
export const RUN_SETTINGS = {
  agents: setting("agents", agents, "[]", "never", "agent <name,…>"),
  agentsFor: {
    planning: setting("agent_planning", agents, "[]"),
    execution: setting("agent_execution", agents, "[]"),
    verification: setting("agent_verification", agents, "[]"),
    review: setting("agent_review", agents, "[]"),
    merge: setting("agent_merge", agents, "[]"),
  },
  acp: setting("acp", acp, "[]"),
  parallel: setting("run_parallel", parallel, "1", "never", "parallel <n>"),
  budget: {
    usd: setting("run_max_cost", usd, undefined, "never", "max-cost <usd>"),
    tokens: setting("run_max_tokens", tokens, undefined, "never", "max-tokens <n>"),
    ms: setting("run_max_time", time, undefined, "never", "max-time <time>"),
  },
  taskBudget: {
    usd: setting("run_task_max_cost", usd, undefined, "never", "max-task-cost <usd>"),
    tokens: setting("run_task_max_tokens", tokens, undefined, "never", "max-task-tokens <n>"),
    ms: setting("run_task_max_time", time, undefined, "never", "max-task-time <time>"),
  },
  wallMs: setting("run_wall", time, "60m"),
  // A long test run looks silent: some agents show a command's output only when it has ended.
  silentMs: setting("run_silence", time, "15m"),
  busyMs: setting("run_busy", time, "6h"),
  waits: setting("run_wait", flag, "true"),
  awake: setting("run_awake", flag, "on"),
  /** Bytes; 0: not looked at. */
  minFree: setting("run_min_free", bytes, "1GB"),
  sandbox: setting(
    "run_sandbox",
    sandbox,
    "own",
    "never",
    `sandbox <${sandbox.choices.join("|")}>`,
  ),
  image: setting("run_image", image, undefined),
  network: setting("run_network", flag, "on"),
  namespace: setting("run_namespace", flag, "on"),
  writable: setting("run_writable", places, "[]"),
  env: setting("run_env", variables, "[]"),
  setup: setting("run_setup", line, undefined),
  share: setting("run_share", folders, "[]"),
  notify: setting("notify", line, undefined),
  notifyUrl: setting("notify_url", url, undefined),
  prices: setting("prices", prices, "[]"),
};

export type RunSettings = ValuesOf<typeof RUN_SETTINGS>;
export type StatedRunSettings = StatedOf<typeof RUN_SETTINGS>;

export const defaultRunSettings: RunSettings = defaultsOf(RUN_SETTINGS);

export const fillRunDefaults = (said: StatedRunSettings): RunSettings =>
  overlay(RUN_SETTINGS, defaultRunSettings, said);

export const parseRunSettings = (text: string): StatedRunSettings =>
  readSettings(RUN_SETTINGS, frontMatterFor(text, RUN_SETTINGS));

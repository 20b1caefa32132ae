import type { Granularity } from "../tasks/granularity.ts";
import { defaultWeights, type Weights } from "../tasks/order/weights.ts";
import type { EvidencePolicy } from "./claim/evidence.ts";
import { type SettingValues, settingValues } from "./setting-values.ts";
import { LIMITS } from "./state.ts";

/** What can be set in the front matter of the user's file and, where it is stricter, of the project's. */
export interface Settings {
  readonly enabled: boolean;
  /** Empty: the layout's default. */
  readonly specsDirs: readonly string[];
  /** Continuations in a row that may move nothing before the loop stops. */
  readonly stallLimit: number;
  readonly evidence: EvidencePolicy;
  readonly verifyTimeoutSeconds: number;
  /** Prefixes of the commands that may run to verify a task; undefined: any. */
  readonly verifyAllow: readonly string[] | undefined;
  /** Makes a clean work tree usable for `prove`, such as `npm ci`; undefined: as the last check of `run` does. */
  readonly proveSetup: string | undefined;
  /** What happens when a task changes files that it does not list. */
  readonly files: "report" | "enforce" | "off";
  /** Whether a task is done only once its work is committed. */
  readonly commit: "required" | "off";
  /** Whether a Verify is tried once before the work on its task begins. */
  readonly verifyBefore: boolean;
  /** Whether a run begins only if every open task can be proven, or is not meant to be. */
  readonly strict: boolean;
  /** Whether the documents of a new spec are committed. */
  readonly commitSpec: boolean;
  /** Whether `start` goes through all phases without asking. */
  readonly quick: boolean;
  readonly granularity: Granularity;
  /** What a new spec gets: a branch, its own worktree, or neither. `auto`: a branch in quick mode. */
  readonly branch: "auto" | "none" | "branch" | "worktree";
  /** Whether the whole work is reviewed before a run ends. `auto`: in quick mode. */
  readonly review: "off" | "auto" | "on";
  /** Attempts at one task, unless `implement` says otherwise; undefined: the default. */
  readonly maxAttempts: number | undefined;
  /** For `tasks prioritize --by-score`. */
  readonly weights: Weights;
}

/** Every setting, with what it does: checked by `doctor`, printed in the docs. Those of `run` are in `run-settings.ts`. */
export const SETTINGS: Readonly<Record<string, string>> = {
  enabled: "false switches the plugin off in this project (true)",
  specs_dirs: "folders that hold specs; the first is the default and holds the pointer",
  stall_limit: "continuations in a row that may move nothing before the loop stops (3)",
  evidence:
    "required: a task is done only if its Verify command passes when we run it; recorded: it is run and noted; off (required)",
  verify_timeout: "seconds that one Verify command may take (100)",
  verify_allow: "prefixes of the Verify commands that may run; without it, any",
  commit: "required: a task is done only once its work is committed; off (required)",
  verify_before:
    "whether a Verify is tried once before the work begins: one that passes then can be checked, but not proven (true)",
  strict:
    "true: implement and run begin only if every open task can be proven or is a check by design (false)",
  prove_setup:
    "command that prepares the clean work tree of prove, such as `npm ci`; without it run_setup, or copies of your installed folders; from the project's file only with --setup",
  auto_commit_spec: "whether the documents of a new spec are committed (true)",
  quick_mode_default: "true: start goes through all phases without asking (false)",
  tasks_size: "fine or coarse tasks (coarse)",
  branch: "what a new spec gets: none, branch, worktree, or auto: a branch in quick mode (auto)",
  review:
    "whether the whole change is reviewed against the requirements before a run ends: on, off, or auto: in quick mode (auto)",
  default_max_iterations: `attempts at one task (${LIMITS.maxTaskIterations})`,
  weight_unblocks: "with --by-score: weight of each task that a task unblocks (3)",
  weight_uncertainty: "with --by-score: weight of its uncertainty (2)",
  weight_impact: "with --by-score: weight of its impact (1)",
  weight_blocker: "with --by-score: points for [BLOCKER] (6)",
  weight_risky: "with --by-score: points for [RISKY] (4)",
  weight_high_value: "with --by-score: points for [HIGH-VALUE] (2)",
  weight_trivial: "with --by-score: points for [TRIVIAL] (-2)",
  files: "changes outside a task's Files: report, enforce (refuse), off (report)",
};

export const defaultSettings: Settings = {
  enabled: true,
  specsDirs: [],
  stallLimit: LIMITS.stalledContinuations,
  evidence: "required",
  // Less than the two minutes that clients give a command by default.
  verifyTimeoutSeconds: 100,
  verifyAllow: undefined,
  proveSetup: undefined,
  files: "report",
  commit: "required",
  verifyBefore: true,
  strict: false,
  commitSpec: true,
  quick: false,
  // Dozens of tiny tasks cost more in hand-outs than they save in mistakes.
  granularity: "coarse",
  branch: "auto",
  review: "auto",
  maxAttempts: undefined,
  weights: defaultWeights,
};

/** What one file says. Anything missing or not understood is undefined. */
export type StatedSettings = {
  readonly [K in Exclude<keyof Settings, "weights">]?: Settings[K] | undefined;
} & { readonly weights?: { readonly [K in keyof Weights]?: Weights[K] | undefined } | undefined };

export const parseSettings = (text: string): StatedSettings =>
  readStated(settingValues(text, Object.keys(SETTINGS)));

export function readStated(values: SettingValues): StatedSettings {
  const { one, flag, number, oneOf, front } = values;
  const weight = (key: string): number | undefined =>
    one(key, (word) => (/^[-+]?\d{1,4}$/.test(word) ? Number(word) : undefined));
  const folders = front.values.get("specs_dirs")?.filter((folder) => folder !== "") ?? [];
  return {
    enabled: flag("enabled"),
    specsDirs: folders.length > 0 ? folders : undefined,
    stallLimit: number("stall_limit"),
    evidence: oneOf("evidence", EVIDENCE),
    verifyTimeoutSeconds: number("verify_timeout"),
    verifyAllow: front.values.get("verify_allow"),
    proveSetup: front.values.get("prove_setup")?.[0] || undefined,
    files: oneOf("files", FILES),
    commit: oneOf("commit", COMMIT),
    verifyBefore: flag("verify_before"),
    strict: flag("strict"),
    commitSpec: flag("auto_commit_spec"),
    quick: flag("quick_mode_default"),
    granularity: oneOf("tasks_size", ["fine", "coarse"]),
    branch: oneOf("branch", ["auto", "none", "branch", "worktree"]),
    review: oneOf("review", REVIEW),
    maxAttempts: number("default_max_iterations"),
    weights: {
      unblocks: weight("weight_unblocks"),
      uncertainty: weight("weight_uncertainty"),
      impact: weight("weight_impact"),
      blocker: weight("weight_blocker"),
      risky: weight("weight_risky"),
      highValue: weight("weight_high_value"),
      trivial: weight("weight_trivial"),
    },
  };
}

/** Each list from the loosest to the strictest. */
export const EVIDENCE = ["off", "recorded", "required"] as const;
export const FILES = ["off", "report", "enforce"] as const;
export const COMMIT = ["off", "required"] as const;
export const REVIEW = ["off", "auto", "on"] as const;

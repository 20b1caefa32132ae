import { defaultWeights } from "../tasks/order/weights.ts";
import {
  count,
  defaultsOf,
  flag,
  frontMatterFor,
  line,
  list,
  oneOf,
  readSettings,
  type Setting,
  setting,
  type StatedOf,
  type ValuesOf,
  word,
} from "./setting.ts";
import { LIMITS } from "./state.ts";

const texts = list("a list such as [one, two]", (text) => (text === "" ? [] : [text]));

const points = word("a whole number", (said) =>
  /^[-+]?\d{1,4}$/.test(said) ? Number(said) : undefined,
);

const weight = (name: string, usual: number): Setting<number> =>
  setting(`weight_${name}`, points, `${usual}`, "free");

/**
 * One row for each setting. Every stop reads them, so what they do is said elsewhere: `settings-help.ts`. Those of `run`
 * are in `run-settings.ts`.
 */
export const SETTINGS = {
  enabled: setting("enabled", flag, "true", "false"),
  specsDirs: setting("specs_dirs", texts, "[]", "inside"),
  evidence: setting("evidence", oneOf("off", "recorded", "required"), "required", "stricter"),
  // Less than the two minutes that clients give a command by default.
  verifyTimeoutSeconds: setting("verify_timeout", count, "100", "lower"),
  verifyAllow: setting("verify_allow", texts, undefined, "both"),
  verifyBefore: setting("verify_before", flag, "true", "never"),
  strict: setting("strict", flag, "false", "true"),
  commit: setting("commit", oneOf("off", "required"), "required", "stricter"),
  files: setting("files", oneOf("off", "report", "enforce"), "report", "stricter"),
  review: setting("review", oneOf("off", "auto", "on"), "auto", "stricter"),
  // A clone must not bring a command that we run unasked.
  proveSetup: setting("prove_setup", line, undefined, "never"),
  stallLimit: setting("stall_limit", count, `${LIMITS.stalledContinuations}`, "lower"),
  maxAttempts: setting("default_max_iterations", count, undefined, "lower"),
  commitSpec: setting("auto_commit_spec", flag, "true", "false"),
  quick: setting("quick_mode_default", flag, "false", "false"),
  // Dozens of tiny tasks cost more in hand-outs than they save in mistakes.
  granularity: setting("tasks_size", oneOf("fine", "coarse"), "coarse", "free"),
  branch: setting("branch", oneOf("auto", "none", "branch", "worktree"), "auto", "never"),
  weights: {
    unblocks: weight("unblocks", defaultWeights.unblocks),
    uncertainty: weight("uncertainty", defaultWeights.uncertainty),
    impact: weight("impact", defaultWeights.impact),
    blocker: weight("blocker", defaultWeights.blocker),
    risky: weight("risky", defaultWeights.risky),
    highValue: weight("high_value", defaultWeights.highValue),
    trivial: weight("trivial", defaultWeights.trivial),
  },
};

export type Settings = ValuesOf<typeof SETTINGS>;
export type StatedSettings = StatedOf<typeof SETTINGS>;

export const defaultSettings: Settings = defaultsOf(SETTINGS);

export const parseSettings = (text: string): StatedSettings =>
  readSettings(SETTINGS, frontMatterFor(text, SETTINGS));

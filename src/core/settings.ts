import type { EvidencePolicy } from "./evidence.ts";
import type { Granularity } from "./intent.ts";
import { LIMITS } from "./state.ts";
import { defaultWeights, type Weights } from "./weights.ts";

/** What a user may set in the front matter of `.claude/<plugin>.local.md`. */
export interface Settings {
  readonly enabled: boolean;
  /** Empty: the layout's own. */
  readonly specsDirs: readonly string[];
  /** Continuations in a row that may move nothing before the loop lets go. */
  readonly stallLimit: number;
  readonly evidence: EvidencePolicy;
  readonly verifyTimeoutSeconds: number;
  /** Beginnings of the commands that may be run to verify a task; undefined: any. */
  readonly verifyAllow: readonly string[] | undefined;
  /** What happens when a task changed files that it does not name. */
  readonly files: "report" | "enforce" | "off";
  /** Whether the documents of a new spec are committed. */
  readonly commitSpec: boolean;
  /** Whether `start` goes through all phases without asking. */
  readonly quick: boolean;
  readonly granularity: Granularity;
  /** What a new spec gets: a branch, a work tree of its own, or neither. */
  readonly branch: "none" | "branch" | "worktree";
  /** Attempts at one task, where `implement` is not told otherwise; undefined: the default. */
  readonly maxAttempts: number | undefined;
  /** What counts how much when tasks are put in order. */
  readonly weights: Weights;
}

/** Every setting, with what it does: checked by `doctor`, printed in the documentation. */
export const SETTINGS: Readonly<Record<string, string>> = {
  enabled: "false switches the plugin off in this project (true)",
  specs_dirs: "folders that hold specs; the first is the default and holds the pointer",
  stall_limit: "continuations in a row that may move nothing before the loop lets go (3)",
  evidence:
    "required: a task is done only if its Verify command passes when we run it; recorded: it is run and noted; off (required)",
  verify_timeout: "seconds that one Verify command may take (100)",
  verify_allow: "beginnings of the Verify commands that may be run; without it, any",
  auto_commit_spec: "whether the documents of a new spec are committed (true)",
  quick_mode_default: "true: start goes through all phases without asking (false)",
  tasks_size: "fine or coarse tasks (coarse)",
  branch: "what a new spec gets: none, branch or worktree (none)",
  default_max_iterations: "attempts at one task (5)",
  weight_unblocks: "weight of each task that a task unblocks (3)",
  weight_uncertainty: "weight of its uncertainty (2)",
  weight_impact: "weight of its impact (1)",
  weight_blocker: "points for [BLOCKER] (6)",
  weight_risky: "points for [RISKY] (4)",
  weight_high_value: "points for [HIGH-VALUE] (2)",
  weight_trivial: "points for [TRIVIAL] (-2)",
  files: "changes outside a task's Files: report, enforce (refuse), off (report)",
};

export const defaultSettings: Settings = {
  enabled: true,
  specsDirs: [],
  stallLimit: LIMITS.stalledContinuations,
  evidence: "required",
  // Below the two minutes that Claude Code gives a command by default.
  verifyTimeoutSeconds: 100,
  verifyAllow: undefined,
  files: "report",
  commitSpec: true,
  quick: false,
  // Dozens of tiny tasks cost more in hand-outs than they save in mistakes.
  granularity: "coarse",
  branch: "none",
  maxAttempts: undefined,
  weights: defaultWeights,
};

/** Flat YAML only (scalars, inline lists, block lists): a YAML library would cost the hook its time budget. */
export function parseSettings(text: string): Settings {
  const values = parseFrontMatter(text);
  const first = (key: string): string | undefined => values.get(key)?.[0];
  const says = (key: string, words: readonly string[]): boolean =>
    words.includes(first(key)?.toLowerCase() ?? "");
  const isNo = (key: string): boolean => says(key, ["false", "no", "off"]);
  const isYes = (key: string): boolean => says(key, ["true", "yes", "on"]);
  const number = <T>(key: string, otherwise: T): number | T => {
    const value = Number(first(key));
    return Number.isInteger(value) && value >= 1 ? value : otherwise;
  };
  const weight = (key: string, otherwise: number): number => {
    const said = first(key) ?? "";
    return /^[-+]?\d{1,4}$/.test(said) ? Number(said) : otherwise;
  };
  const oneOf = <const T extends string>(key: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === first(key)?.toLowerCase()) ?? otherwise;
  return {
    enabled: !isNo("enabled"),
    specsDirs: (values.get("specs_dirs") ?? []).filter((dir) => dir !== ""),
    stallLimit: number("stall_limit", defaultSettings.stallLimit),
    evidence: oneOf("evidence", ["required", "recorded", "off"], defaultSettings.evidence),
    verifyTimeoutSeconds: number("verify_timeout", defaultSettings.verifyTimeoutSeconds),
    verifyAllow: values.get("verify_allow"),
    files: oneOf("files", ["report", "enforce", "off"], defaultSettings.files),
    commitSpec: !isNo("auto_commit_spec"),
    quick: isYes("quick_mode_default"),
    granularity: oneOf("tasks_size", ["fine", "coarse"], defaultSettings.granularity),
    branch: oneOf("branch", ["none", "branch", "worktree"], defaultSettings.branch),
    maxAttempts: number("default_max_iterations", undefined),
    weights: {
      unblocks: weight("weight_unblocks", defaultWeights.unblocks),
      uncertainty: weight("weight_uncertainty", defaultWeights.uncertainty),
      impact: weight("weight_impact", defaultWeights.impact),
      blocker: weight("weight_blocker", defaultWeights.blocker),
      risky: weight("weight_risky", defaultWeights.risky),
      highValue: weight("weight_high_value", defaultWeights.highValue),
      trivial: weight("weight_trivial", defaultWeights.trivial),
    },
  };
}

export function parseFrontMatter(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return values;
  let list: string[] | undefined;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) break;
    const item = /^\s*-\s+([\s\S]*)$/.exec(line);
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+([\s\S]*))?$/.exec(line);
    if (pair !== null) {
      const parts = [pair[2] ?? ""];
      // An inline list may go on over several lines.
      if (/^\[[^\]]*$/.test(parts[0] as string)) {
        do parts.push((lines[++i] ?? "").trim());
        while (i < lines.length && !parts.at(-1)?.includes("]"));
      }
      list = parseValue(parts.join(" "));
      values.set(pair[1] as string, list);
    } else if (item !== null && list !== undefined) {
      list.push(unquote(item[1] as string));
    }
  }
  return values;
}

function parseValue(text: string): string[] {
  const value = withoutComment(text);
  if (value === "") return [];
  const inline = /^\[(.*)\]$/.exec(value);
  if (inline === null) return [unquote(value)];
  const parts = (inline[1] as string).match(/(?:"[^"]*"|'[^']*'|[^,])+/g) ?? [];
  return parts.map(unquote).filter((part) => part !== "");
}

function unquote(text: string): string {
  const value = withoutComment(text);
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (inner === undefined) return value;
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, "$1");
}

const withoutComment = (text: string): string =>
  /^\s*["'[]/.test(text)
    ? text.replace(/(["'\]])\s+#[\s\S]*/, "$1").trim()
    : text.replace(/(?:^|\s)#[\s\S]*/, "").trim();

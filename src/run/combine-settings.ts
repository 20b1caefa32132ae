import type { Weights } from "../tasks/order/weights.ts";
import { permittedByBoth } from "./allowed-commands.ts";
import {
  COMMIT,
  defaultSettings,
  EVIDENCE,
  FILES,
  REVIEW,
  type Settings,
  type StatedSettings,
} from "./settings.ts";
import { LIMITS } from "./state.ts";

/** A project setting that is ignored, as written there. */
export interface IgnoredSetting {
  readonly key: string;
  readonly said: string;
}

export interface CombinedSettings {
  readonly settings: Settings;
  readonly ignored: readonly IgnoredSetting[];
}

/**
 * The effective settings: the defaults, overridden by the user's file, then by the project's file, which comes with a
 * clone and so may only be stricter. `mayHold` says whether the project may use a folder for its specs.
 */
export function combineSettings(
  user: StatedSettings,
  project: StatedSettings,
  mayHold: (folder: string) => boolean = () => true,
): CombinedSettings {
  const base = fillDefaults(defaultSettings, user);
  const ignored: IgnoredSetting[] = [];
  const ignore = (key: string, said: unknown): void => void ignored.push({ key, said: `${said}` });
  /** `tightens` says whether the project's value is at least as strict as the one it would replace. */
  const take = <T>(
    key: string,
    held: T,
    said: T | undefined,
    tightens: (said: T) => boolean,
  ): T => {
    if (said === undefined || said === held) return held;
    if (tightens(said)) return said;
    ignore(key, said);
    return held;
  };
  const isStricter =
    <T>(order: readonly T[], held: T) =>
    (said: T): boolean =>
      order.indexOf(said) > order.indexOf(held);
  const folders = project.specsDirs?.filter((folder) => {
    const isAllowed = mayHold(folder);
    if (!isAllowed) ignore("specs_dirs", folder);
    return isAllowed;
  });
  const isNo = (said: boolean): boolean => !said;
  const attempts = base.maxAttempts ?? LIMITS.maxTaskIterations;
  const settings: Settings = {
    ...fillDefaults(base, { granularity: project.granularity, weights: project.weights }),
    enabled: take("enabled", base.enabled, project.enabled, isNo),
    specsDirs: folders === undefined || folders.length === 0 ? base.specsDirs : folders,
    stallLimit: take(
      "stall_limit",
      base.stallLimit,
      project.stallLimit,
      (n) => n < base.stallLimit,
    ),
    evidence: take(
      "evidence",
      base.evidence,
      project.evidence,
      isStricter(EVIDENCE, base.evidence),
    ),
    verifyTimeoutSeconds: take(
      "verify_timeout",
      base.verifyTimeoutSeconds,
      project.verifyTimeoutSeconds,
      (seconds) => seconds < base.verifyTimeoutSeconds,
    ),
    verifyAllow: permittedByBoth(base.verifyAllow, project.verifyAllow),
    // A clone must not bring a command that we run unasked.
    proveSetup: take("prove_setup", base.proveSetup, project.proveSetup, () => false),
    files: take("files", base.files, project.files, isStricter(FILES, base.files)),
    commit: take("commit", base.commit, project.commit, isStricter(COMMIT, base.commit)),
    verifyBefore: take("verify_before", base.verifyBefore, project.verifyBefore, () => false),
    strict: take("strict", base.strict, project.strict, (said) => said),
    commitSpec: take("auto_commit_spec", base.commitSpec, project.commitSpec, isNo),
    quick: take("quick_mode_default", base.quick, project.quick, isNo),
    branch: take("branch", base.branch, project.branch, () => false),
    review: take("review", base.review, project.review, isStricter(REVIEW, base.review)),
    maxAttempts: take(
      "default_max_iterations",
      base.maxAttempts,
      project.maxAttempts,
      (n) => n !== undefined && n <= attempts,
    ),
  };
  return { settings, ignored };
}

function fillDefaults(settings: Settings, said: StatedSettings): Settings {
  const given = <T extends object>(values: T): Partial<T> =>
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    ) as Partial<T>;
  return {
    ...settings,
    ...(given(said) as Partial<Settings>),
    weights: { ...settings.weights, ...(given(said.weights ?? {}) as Partial<Weights>) },
  };
}

import { setup as claude } from "./claude/setup.ts";
import type { Environment } from "./host.ts";

/** What a client's settings would get. */
export interface SetupPlan {
  /** The whole file as it would be; undefined if nothing is missing. */
  readonly text?: string;
  /** What is added, one thing each, for people. */
  readonly added: readonly string[];
}

export interface SetupWish {
  readonly root: string;
  readonly env: Environment;
  /** What agents may run there unasked. */
  readonly commands: readonly string[];
}

/** How a client is set up so that a run needs nobody to answer it. Separate from `Host`, because no hook needs it. */
export interface HostSetup {
  /** The user's own settings in a project, relative to its root. */
  readonly file: string;
  /** Adds what is missing. What the user has set, here or elsewhere, stays. Undefined if the file is not valid. */
  readonly plan: (old: string | undefined, wanted: SetupWish) => SetupPlan | undefined;
}

export const setup: HostSetup = claude;

import { adoptRun, planAdoption } from "../../engine/adopt-run.ts";
import { drivePhase, findingsOf } from "../../engine/drive-phases.ts";
import type { RareStop } from "../../engine/stop.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { host } from "../../hosts/all.ts";
import type { Environment } from "../../hosts/host.ts";
import * as promptEvents from "./prompt-events.ts";
import { sessionEnd, sessionStart, stopFailure } from "./session-events.ts";
import type { Handler } from "./stop.ts";

/**
 * What a rare stop, and every other event, needs besides the hook: a separate bundle, so that no other stop loads it.
 */
export interface Quick {
  /** Every event of the client except the end of a turn, by its name in the gate. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly rareStop: (env: Environment) => RareStop;
}

export const quick: Quick = {
  handlers: {
    "stop-failure": stopFailure,
    "session-end": sessionEnd,
    "session-start": sessionStart,
    ...promptEvents,
  },

  rareStop: (env) => ({
    planAdoption: (spec, { transcript }) =>
      planAdoption(spec, {
        began: transcript === undefined ? undefined : host.transcript.readBegan(transcript),
        isInClient: host.environment.isInClient(env),
      }),
    adoptRun,
    keepOutOfGit,
    findings: findingsOf,
    prompt: drivePhase,
  }),
};

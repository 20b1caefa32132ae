import { rareStop } from "../../engine/rare-stop.ts";
import type { RareStop } from "../../engine/stop.ts";
import { hostNamed } from "../../hosts/all.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { isDriven } from "../../store/lease.ts";
import { permission } from "./permission.ts";
import * as promptEvents from "./prompt-events.ts";
import { runProgram } from "./run-program.ts";
import { sessionEnd, sessionStart, stopFailure } from "./session-events.ts";
import type { Handler } from "./stop.ts";

/**
 * What a rare stop, and every other event, needs besides the hook: a separate bundle, so that no other stop loads it.
 */
export interface Quick {
  /** Any other client than the first. */
  readonly hostNamed: typeof hostNamed;
  readonly isDriven: typeof isDriven;
  /** Every event of the client except the end of a turn, by its name in the gate. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly rareStop: (layout: Edition, host: Host, env: Environment, input: unknown) => RareStop;
}

type Heard = ReturnType<RareStop["hear"]>;

const UNSETTLED = "what was done since the last turn could not be checked";
const UNHEARD = "the agent's report could not be checked";

export const quick: Quick = {
  hostNamed,
  isDriven,

  handlers: {
    "stop-failure": stopFailure,
    "session-end": sessionEnd,
    "session-start": sessionStart,
    permission,
    ...promptEvents,
  },

  rareStop: (layout, host, env, input) => ({
    ...rareStop,
    settle: () =>
      runProgram(layout, host, ["settle"], env, input, UNSETTLED)
        .split("\n")
        .filter((line) => line !== ""),
    hear: () =>
      JSON.parse(runProgram(layout, host, ["hear", "--json"], env, input, UNHEARD)) as Heard,
  }),
};

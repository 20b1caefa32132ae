import type { StopPorts } from "../../engine/stop.ts";
import { permission } from "./permission.ts";
import * as promptEvents from "./prompt-events.ts";
import { runProgram } from "./run-program.ts";
import { sessionEnd, sessionStart, stopFailure } from "./session-events.ts";
import type { Handler } from "./stop.ts";

/**
 * What only some stops need, and every other event: a separate bundle, because loading it takes longer than a whole stop
 * may.
 */
export * as engine from "../../engine/stop-on-demand.ts";
/** Any other client than the first. */
export { hostNamed } from "../../hosts/all.ts";
export { isDriven } from "../../store/lease.ts";

/** Every event of the client except the end of a turn, by its name in the gate. */
export const handlers: Readonly<Record<string, Handler>> = {
  "stop-failure": stopFailure,
  "session-end": sessionEnd,
  "session-start": sessionStart,
  permission,
  ...promptEvents,
};

const UNSETTLED = "what was done since the last turn could not be checked";
const UNHEARD = "the agent's report could not be checked";

/** What a stop leaves to our own program. */
export function programFor(...[layout, host, input, env]: Parameters<Handler>) {
  const run = (words: readonly string[], failed: string): string =>
    runProgram(layout, host, words, env, input, failed);
  return {
    settle: () => run(["settle"], UNSETTLED).split("\n").filter(Boolean),
    hear: () => JSON.parse(run(["hear", "--json"], UNHEARD)) as ReturnType<StopPorts["hear"]>,
  };
}

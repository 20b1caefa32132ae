import { readNow } from "../../engine/now.ts";
import { stopRun } from "../../engine/stop.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { oneLine } from "../../text/template.ts";
import { activeSpec, log, MAX_LINE } from "./event.ts";
import { lazy } from "./lazy.ts";

/** Takes an event from the client and returns what goes to standard output. */
export type Handler = (layout: Edition, host: Host, input: unknown, env: Environment) => string;

/** The end of a turn: the hook's main job, and all that its own bundle contains. */
export function stop(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const stopped = host.wire.parseStop(input, env);
  if (stopped === undefined) return "";
  const { say, ...answer } = stopRun(layout, activeSpec(layout, stopped), stopped, {
    now: readNow(),
    loadRare: () => lazy.loadQuick().rareStop(layout, env, input),
    readLastMessage: host.transcript.readLastMessage,
  });
  // The client shows what keeps the agent going; a line alone may go unseen.
  if (say !== undefined && answer.reason === undefined) log(layout, say);
  return host.wire.formatAnswer(
    say === undefined ? answer : { ...answer, say: oneLine(say, MAX_LINE) },
  );
}

import { agentReturned } from "../../engine/agent-return.ts";
import { fitToClient } from "../../engine/fit-to-client.ts";
import { readNow } from "../../engine/now.ts";
import { stopRun, type StopPorts } from "../../engine/stop.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { oneLine } from "../../text/template.ts";
import { activeSpec, log, MAX_LINE, notice } from "./event.ts";
import type * as OnDemand from "./on-demand.ts";

/** Takes an event from the client and returns what goes to standard output. */
export type Handler = (layout: Edition, host: Host, input: unknown, env: Environment) => string;

/** In its own file next to the hook's. */
export const onDemand = {
  load: (): typeof OnDemand => require("./on-demand.cjs") as typeof OnDemand,
};

/** What the turn's end came to, of which each needs other code. */
export let outcome = "";

/** The end of a turn: the hook's main job, and all that its own bundle contains. */
export function stop(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const stopped = host.wire.parseStop(input, env);
  if (stopped === undefined) return "";
  const spec = activeSpec(layout, stopped);
  const ports = portsOf(layout, host, input, env);
  const decided = stopRun(layout, spec, stopped, ports);
  ({ outcome } = decided);
  const {
    say,
    log: logged,
    ...answer
  } = host.stops === undefined ? decided : fitToClient(layout, host.stops, stopped, decided);
  if (logged !== undefined) log(layout, logged);
  // The client shows what keeps the agent going; a line alone may go unseen.
  if (say !== undefined && answer.reason === undefined) log(layout, say);
  const line = say === undefined ? answer : { ...answer, say: oneLine(say, MAX_LINE) };
  return host.wire.formatAnswer(line, env);
}

/** A sub-agent has given its result: what comes next is decided like a stop. */
export function returned(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const ended = host.wire.parseReturn?.(input, env);
  const spec = ended === undefined ? undefined : activeSpec(layout, ended);
  if (ended === undefined || spec === undefined) return "";
  const ports = portsOf(layout, host, input, env);
  const { say, context, waitsFor } = agentReturned(layout, spec, ended, ports);
  if (waitsFor !== undefined) return host.wire.formatWait?.(`an agent works on ${waitsFor}`) ?? "";
  return notice(host, "return", say, context);
}

export const portsOf = (...event: Parameters<Handler>): StopPorts => ({
  now: readNow(),
  load: () => onDemand.load().engine,
  settle: () =>
    onDemand
      .load()
      .programFor(...event)
      .settle(),
  hear: () =>
    onDemand
      .load()
      .programFor(...event)
      .hear(),
  readLastMessage: event[1].transcript.readLastMessage,
});

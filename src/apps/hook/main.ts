import { editionsOf } from "../../hosts/client.ts";
import { firstHost } from "../../hosts/first.ts";
import { drivenBy } from "../../run/driven.ts";
import { print } from "../stdio/print.ts";
import { readInput } from "../stdio/stdin.ts";
import { logFault, parseJson } from "./event.ts";
import { type Handler, onDemand, outcome, returned, stop } from "./stop.ts";

/** These keep the agent going. */
const HANDLERS: Readonly<Record<string, Handler>> = { stop, return: returned };

/** `hook.cjs <layout> <event> [client]`: what the client runs. Whatever goes wrong in here, the agent may stop. */
function main(): string | undefined {
  // Whoever drives the session from outside decides what comes next.
  if (drivenBy(process.env) !== undefined && onDemand.load().isDriven(process.env))
    return undefined;
  const [, , , , client] = process.argv;
  const host = client === undefined ? firstHost : onDemand.load().hostNamed(client);
  if (host === undefined) return undefined;
  const layout = editionsOf(host, binFolder()).find(({ id }) => id === process.argv[2]);
  if (layout === undefined) return undefined;
  try {
    const event = process.argv[3] ?? "";
    const handler = HANDLERS[event] ?? onDemand.load().handlers[event];
    if (handler === undefined) return undefined;
    const answer = handler(layout, host, parseJson(readInput()), process.env);
    if (answer !== "") print(1, answer);
    return answer === "" ? undefined : `${event} ${outcome}`;
  } catch (error) {
    const line = logFault(layout, error);
    // Nobody sees standard error: the user must not mistake an internal error for the end of the work.
    if (process.argv[3] === "stop")
      print(1, host.wire.formatAnswer({ outcome: "idle", say: line }, process.env));
    return undefined;
  }
}

/** Next to the folder with this file. */
const binFolder = (): string =>
  (process.argv[1] ?? "").replace(/[/\\][^/\\]+[/\\][^/\\]+$/, "/bin");

/** The event that was answered, and thus has run nearly all that it needs. Read by the loader. */
export const ran = main();

import { editionsOf } from "../../hosts/editions.ts";
import { firstHost } from "../../hosts/first.ts";
import { drivenBy } from "../../run/driven.ts";
import { print } from "../stdio/print.ts";
import { readInput } from "../stdio/stdin.ts";
import { logFault, parseJson } from "./event.ts";
import { lazy } from "./lazy.ts";
import { type Handler, returned, stop } from "./stop.ts";

/** These keep the agent going. */
const HANDLERS: Readonly<Record<string, Handler>> = { stop, return: returned };

/** `hook.cjs <layout> <event> [client]`: what the client runs. Whatever goes wrong in here, the agent may stop. */
function main(): boolean {
  // Whoever drives the session from outside decides what comes next.
  if (drivenBy(process.env) !== undefined && lazy.loadQuick().isDriven(process.env)) return false;
  const [, , , , client] = process.argv;
  const host = client === undefined ? firstHost : lazy.loadQuick().hostNamed(client);
  if (host === undefined) return false;
  const layout = editionsOf(host, binFolder()).find(({ id }) => id === process.argv[2]);
  if (layout === undefined) return false;
  try {
    const event = process.argv[3] ?? "";
    const handler = HANDLERS[event] ?? lazy.loadQuick().handlers[event];
    if (handler === undefined) return false;
    const answer = handler(layout, host, parseJson(readInput()), process.env);
    if (answer !== "") print(1, answer);
    // Only a stop has run nearly all of this bundle.
    return event === "stop" && answer !== "";
  } catch (error) {
    const line = logFault(layout, error);
    // Nobody sees standard error: the user must not mistake an internal error for the end of the work.
    if (process.argv[3] === "stop")
      print(1, host.wire.formatAnswer({ outcome: "idle", say: line }, process.env));
    return false;
  }
}

/** Next to the folder with this file. */
const binFolder = (): string =>
  (process.argv[1] ?? "").replace(/[/\\][^/\\]+[/\\][^/\\]+$/, "/bin");

/** Read by the loader. */
export const answered = main();

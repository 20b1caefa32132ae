import { mkdirSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Refusal, RefusalKind } from "../../engine/refusal.ts";
import type { EventSink } from "../../runner/emit.ts";
import { outputFile, requireVault, runsFolder } from "../../runner/run-files.ts";
import { isAtWork } from "../../runner/run-list.ts";
import { faultIn } from "../../store/read.ts";
import { takeTicket } from "../../store/tickets.ts";
import type { Context } from "../cli/command.ts";

/** The variable with a token that only a background run and the command that started it know. */
export const DETACHED = "SMART_RALPH_DETACHED";
/** The command in the run's ticket. */
export const DETACHED_COMMAND = "run --detach";

/** The only message that a background run sends to the command that started it. */
export type FirstMessage =
  | { readonly kind: "started"; readonly run: string }
  | {
      readonly kind: "refused";
      readonly why: RefusalKind;
      readonly message: string;
      readonly fix?: string | undefined;
    };

/** Opens the file that takes the output until the run has a folder. */
export function openOutput(token: string): { readonly path: string; readonly fd: number } {
  const { runs } = requireVault();
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  const path = join(runs, `.${token}.log`);
  return { path, fd: openSync(path, "ax+", 0o600) };
}

/** How a background run reports to the command that started it. Undefined if this process is not one. */
export function openDetached(context: Context) {
  const token = process.env[DETACHED] ?? "";
  delete process.env[DETACHED];
  if (!/^[a-z0-9-]{1,64}$/.test(token)) return undefined;
  // Closing the terminal that started the run must not end it.
  process.on("SIGHUP", () => undefined);
  const ticket = takeTicket(token, [DETACHED_COMMAND], context.now().at);
  const { caller } = context;
  const ours: Context = {
    ...context,
    // This process has no terminal, but the user who typed the command had one.
    caller: ticket === undefined ? caller : { ...caller, authority: "user" },
    colour: false,
    width: undefined,
  };
  const tell: EventSink = (event) => {
    if (event.kind === "run-started") moveOutput(token, event.run);
    else if (isAtWork(event)) say({ kind: "started", run: event.run });
  };
  const say = (first: FirstMessage): void => {
    if (process.send === undefined || !process.connected) return;
    // The command that started the run may be gone; that does not matter.
    process.send(first, undefined, {}, () => process.connected && process.disconnect());
  };
  const refuse = ({ kind: why, message, fix }: Refusal): void =>
    say({ kind: "refused", why, message, fix });
  return { context: ours, tell, refuse };
}

/** Processes that have the file open keep writing to it. */
function moveOutput(token: string, run: string): void {
  const runs = runsFolder();
  if (runs === undefined) return;
  faultIn(() => renameSync(join(runs, `.${token}.log`), outputFile({ folder: join(runs, run) })));
}

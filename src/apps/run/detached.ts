import { mkdirSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Refusal, type RefusalKind } from "../../engine/refusal.ts";
import type { RunEvent } from "../../runner/events.ts";
import { outputFile, runsFolder } from "../../runner/run-files.ts";
import { isBeginning } from "../../runner/run-list.ts";
import { faultIn } from "../../store/read.ts";
import { takeTicket } from "../../store/tickets.ts";
import type { Context } from "../cli/command.ts";

/** In the environment of a run in the background: a word that only it and the command that started it know. */
export const DETACHED = "SMART_RALPH_DETACHED";
/** What its ticket is for. */
export const DETACHED_COMMAND = "run --detach";

/** What a run in the background tells the command that started it, once. */
export type FirstWord =
  | { readonly kind: "started"; readonly run: string }
  | {
      readonly kind: "refused";
      readonly why: RefusalKind;
      readonly message: string;
      readonly fix?: string | undefined;
    };

/** What it prints goes here until the run has a folder. */
export function openOutput(word: string): { readonly path: string; readonly fd: number } {
  const runs = runsFolder();
  if (runs === undefined)
    throw new Refusal("refused", "a run needs a private folder of yours", "set HOME");
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  const path = join(runs, `.${word}.log`);
  return { path, fd: openSync(path, "ax+", 0o600) };
}

/** How a run in the background speaks to the command that started it. */
export interface Detached {
  /** The same, as it was asked for at the terminal. */
  readonly context: Context;
  readonly tell: (event: RunEvent) => void;
  readonly refuse: (refusal: Refusal) => void;
}

/** Undefined if this process is not one. */
export function openDetached(context: Context): Detached | undefined {
  const word = process.env[DETACHED] ?? "";
  delete process.env[DETACHED];
  if (!/^[a-z0-9-]{1,64}$/.test(word)) return undefined;
  // The terminal that it was started from is not its own.
  process.on("SIGHUP", () => undefined);
  const ticket = takeTicket(word, [DETACHED_COMMAND], context.now().at);
  const { caller } = context;
  let run = "";
  const say = (first: FirstWord): void => {
    if (process.send === undefined || !process.connected) return;
    // Whoever started it may be gone by now, which changes nothing.
    process.send(first, undefined, {}, () => process.connected && process.disconnect());
  };
  return {
    context: {
      ...context,
      // No terminal, but whoever typed it had one.
      caller: ticket === undefined ? caller : { ...caller, authority: "user" },
      colour: false,
      width: undefined,
    },
    tell(event) {
      if (event.kind === "run-started") {
        run = event.run;
        moveOutput(word, run);
      } else if (isBeginning(event)) say({ kind: "started", run });
    },
    refuse({ kind: why, message, fix }) {
      say({ kind: "refused", why, message, fix });
    },
  };
}

/** Whoever writes to it goes on writing. */
function moveOutput(word: string, run: string): void {
  const runs = runsFolder();
  if (runs === undefined) return;
  faultIn(() => renameSync(join(runs, `.${word}.log`), outputFile({ folder: join(runs, run) })));
}

import { type ChildProcess, spawn } from "node:child_process";
import { parseFields } from "../../../agents/json.ts";
import type { WireAnswer, WireEvent } from "../wire.ts";

/** A stop may run a Verify. */
const TIMEOUT_MS = 900_000;

export interface HookCalls {
  /** Never fails: without an answer nothing is done. */
  ask(event: string, input: WireEvent): Promise<WireAnswer>;
  /** Ends what still runs for a session, or for all. */
  end(session?: string): void;
}

/** Our hook, a process for each event. `onFault` is told why one could not be run. */
export function hookCalls(
  hook: string,
  layout: string,
  onFault: (why: string) => void,
  timeoutMs = TIMEOUT_MS,
): HookCalls {
  const running = new Map<ChildProcess, string>();
  // Debuggers and the like, which a user's options may start, have no business in a hook.
  const { NODE_OPTIONS: _, NODE_EXTRA_CA_CERTS: __, ...env } = process.env;

  return {
    ask: (event, input) =>
      new Promise((resolve) => {
        // The client itself is not a node.
        const child = spawn("node", [hook, layout, event, "opencode"], { env, windowsHide: true });
        running.set(child, input.session);
        const timer = setTimeout(() => child.kill(), timeoutMs);
        let printed = "";
        const finish = (): void => {
          clearTimeout(timer);
          running.delete(child);
          resolve(parseFields(printed) ?? {});
        };
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (printed += chunk));
        // What it logs it also answers; unread, it would fill the pipe.
        child.stderr.resume();
        child.stdin.on("error", () => {}).end(JSON.stringify(input));
        child.on("close", finish).on("error", (error) => {
          onFault(error.message.includes("ENOENT") ? "node is not on PATH" : error.message);
          finish();
        });
      }),
    end(session) {
      for (const [child, of] of running) if (session === undefined || session === of) child.kill();
    },
  };
}

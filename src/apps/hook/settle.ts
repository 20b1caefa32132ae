import { Refusal } from "../../engine/refusal.ts";
import { settleRun } from "../../engine/settle-run.ts";
import type { Spec } from "../../store/spec.ts";
import type { Command, Context } from "../cli/command.ts";
import { activeSpec, parseJson } from "./event.ts";

/** Run by the stop hook, rarely: it may have to run commands, which takes longer than a stop may. */
export const settle: Command = {
  name: "settle",
  summary:
    "check boxes that were ticked by hand, and get the next tasks ready (run by the stop hook)",
  group: "hook",
  async run(context) {
    const { layout, host } = context;
    const stopped = host.wire.parseStop(parseJson(context.readStdin()), context.env);
    const spec = layout && stopped && activeSpec(layout, stopped);
    const cleared = spec && stopped ? await settleIn(context, spec, stopped.sessionId) : [];
    return { text: cleared.join("\n"), json: { ok: true, cleared } };
  },
};

async function settleIn(
  context: Context,
  spec: Spec,
  session: string | null,
): Promise<readonly string[]> {
  const request = { ...context, caller: { session, authority: "agent" } as const };
  try {
    return await settleRun(request, spec);
  } catch (error) {
    // Another stop may have finished the run in the meantime.
    if (error instanceof Refusal && error.kind === "missing") return [];
    throw error;
  }
}

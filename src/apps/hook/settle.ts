import { prepareRun } from "../../engine/prepare-run.ts";
import { Refusal } from "../../engine/refusal.ts";
import { settleTicks } from "../../engine/settle-ticks.ts";
import type { Spec } from "../../store/spec.ts";
import type { Command, Context } from "../cli/command.ts";
import { activeSpec, parseJson } from "./event.ts";

/** Run by the stop hook, rarely: it may have to run commands, which takes longer than a stop may. */
export const settle: Command = {
  summary:
    "check boxes that were ticked by hand, and get the next tasks ready (run by the stop hook)",
  async run(context) {
    const { layout, host } = context;
    const stopped = host.wire.parseStop(parseJson(context.readStdin()), context.env);
    const spec = layout && stopped && activeSpec(layout, stopped);
    const cleared = spec && stopped ? await settleRun(context, spec, stopped.sessionId) : [];
    return { text: cleared.join("\n"), json: { cleared } };
  },
};

async function settleRun(
  context: Context,
  spec: Spec,
  session: string | null,
): Promise<readonly string[]> {
  const request = { ...context, caller: { session, authority: "agent" } as const };
  try {
    const { cleared } = await settleTicks(request, spec);
    const hasRun = await prepareRun(request, spec, { runsChecks: true });
    if (!hasRun) return cleared;
    // That may have been the last task, and at the end of a list there is more to settle.
    const late = await settleTicks(request, spec);
    await prepareRun(request, spec);
    return [...new Set([...cleared, ...late.cleared])];
  } catch (error) {
    // Another stop may have finished the run in the meantime.
    if (error instanceof Refusal && error.kind === "missing") return [];
    throw error;
  }
}

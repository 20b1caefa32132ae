import { prepareRun } from "../../engine/prepare-run.ts";
import { settleTicks } from "../../engine/settle-ticks.ts";
import { host } from "../../hosts/all.ts";
import type { Command } from "../cli/command.ts";
import { activeSpec, parseJson } from "./event.ts";

/** Run by the stop hook, rarely: it may have to run commands, which takes longer than a stop may. */
export const settle: Command = {
  name: "settle",
  summary:
    "check boxes that were ticked by hand, and get the next tasks ready (run by the stop hook)",
  group: "hook",
  async run(context) {
    const { layout } = context;
    const stopped = host.wire.parseStop(parseJson(context.readStdin()), context.env);
    const spec = layout && stopped && activeSpec(layout, stopped);
    if (spec !== undefined && stopped !== undefined) {
      const caller = { session: stopped.sessionId, authority: "agent" } as const;
      const { cleared } = await settleTicks({ ...context, caller }, spec);
      await prepareRun({ ...context, caller }, spec);
      return { text: cleared.join("\n"), json: { ok: true, cleared } };
    }
    return { text: "", json: { ok: true, cleared: [] } };
  },
};

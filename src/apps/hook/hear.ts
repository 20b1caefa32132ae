import { hearMain } from "../../engine/hear-main.ts";
import type { Command } from "../cli/command.ts";
import { activeSpec, parseJson } from "./event.ts";

/** Run by the stop hook of a client whose main agent works itself, when its last message is a report. */
export const hear: Command = {
  summary: "take the main agent's report (run by the stop hook)",
  async run(context) {
    const { layout, host } = context;
    const stopped = host.wire.parseStop(parseJson(context.readStdin()), context.env);
    const spec = layout && stopped && activeSpec(layout, stopped);
    if (spec === undefined || stopped === undefined) return { text: "" };
    const { sessionId: session, transcript, at } = stopped;
    const message =
      stopped.message ??
      (transcript === undefined
        ? null
        : host.transcript.readLastMessage(transcript, undefined, at));
    const request = { ...context, caller: { session, authority: "agent" } as const };
    const heard = await hearMain(request, spec, { ...stopped, report: message ?? "" });
    return { text: heard.reason ?? heard.say ?? "", json: heard };
  },
};

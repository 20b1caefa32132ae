import { textOf } from "../../agents/json.ts";
import {
  eventsOf,
  formatBlock,
  formatNotice,
  promptIn,
  stopIn,
  transcriptIn,
} from "../hook-json.ts";
import type { Host } from "../host.ts";

/**
 * Our commands are skills, which the user mentions: `$ralph-specum:implement demo`. Editors make a link of the mention:
 * `[$ralph-specum:implement](…)`.
 */
const MENTION = /^\s*(?:\$([\w-]+:[\w-]+)|\[\$([\w-]+:[\w-]+)\]\([^)\n]*\))/;

/** The folder is that of the session, wherever the agent's commands run. */
const { eventOf, read } = eventsOf();

/** The client fails a hook for any key that it does not know, and the turn ends: these answers have no others. */
export const wire: Host["wire"] = {
  parseStop: read(stopIn),
  formatAnswer: formatBlock,

  /** What the main agent tells a sub-agent comes as a prompt of the same session: it was not typed by the user. */
  parsePrompt: read((event, fields) => {
    if (textOf(fields["agent_id"]) !== undefined) return undefined;
    const said = (textOf(fields["prompt"]) ?? "").replace(
      MENTION,
      (_, name?: string, linked?: string) => `/${name ?? linked}`,
    );
    return { ...promptIn(event, said), ...transcriptIn(fields) };
  }),

  parseInterruption: eventOf,
  parseStart: eventOf,
  parseEnd: read((event, fields) => ({ ...event, ...transcriptIn(fields) })),
  formatNotice,
};

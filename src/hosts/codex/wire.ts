import { MAX_SESSION } from "../../run/loop.ts";
import { isObject } from "../../text/schema.ts";
import type { Host, HostEvent } from "../host.ts";
import { text } from "../json.ts";

/**
 * Our commands are skills, which the user mentions: `$ralph-specum:implement demo`. Editors make a link of the mention:
 * `[$ralph-specum:implement](…)`.
 */
const MENTION = /^\s*(?:\$([\w-]+:[\w-]+)|\[\$([\w-]+:[\w-]+)\]\([^)\n]*\))/;

/** The client fails a hook for any key that it does not know, and the turn ends: these answers have no others. */
export const wire: Host["wire"] = {
  parseStop(input) {
    const event = eventOf(input);
    if (event === undefined) return undefined;
    const fields = input as Fields;
    return {
      ...event,
      ...transcriptOf(fields),
      continuing: fields["stop_hook_active"] === true,
      message: text(fields["last_assistant_message"]) ?? null,
      agentsRunning: 0,
    };
  },

  formatAnswer: ({ reason, say }) =>
    reason === undefined && say === undefined
      ? ""
      : JSON.stringify({
          ...(reason === undefined ? {} : { decision: "block", reason }),
          ...(say === undefined ? {} : { systemMessage: say }),
        }),

  /** What the main agent tells a sub-agent comes as a prompt of the same session: it was not typed by the user. */
  parsePrompt(input) {
    const event = eventOf(input);
    if (event === undefined || text((input as Fields)["agent_id"]) !== undefined) return undefined;
    const prompt = text((input as Fields)["prompt"]) ?? "";
    const said = prompt.replace(
      MENTION,
      (_, name?: string, linked?: string) => `/${name ?? linked}`,
    );
    return {
      ...event,
      ...transcriptOf(input as Fields),
      text: said,
      tellsCommands: false,
      typed: !/^\s*\//.test(said),
      isNotification: false,
    };
  },

  parseInterruption: eventOf,

  parseStart: eventOf,

  parseEnd(input) {
    const event = eventOf(input);
    return event === undefined ? undefined : { ...event, ...transcriptOf(input as Fields) };
  },

  formatNotice: (event, say, context) =>
    say === undefined && context === undefined
      ? ""
      : JSON.stringify({
          ...(say === undefined ? {} : { systemMessage: say }),
          ...(context === undefined
            ? {}
            : {
                hookSpecificOutput: {
                  hookEventName: event === "start" ? "SessionStart" : "UserPromptSubmit",
                  additionalContext: context,
                },
              }),
        }),
};

type Fields = Readonly<Record<string, unknown>>;

/** The folder is that of the session, wherever the agent's commands run. */
function eventOf(input: unknown): HostEvent | undefined {
  if (!isObject(input)) return undefined;
  const cwd = text(input["cwd"]);
  if (cwd === undefined || cwd === "") return undefined;
  return { sessionId: text(input["session_id"])?.slice(0, MAX_SESSION) ?? null, cwd };
}

function transcriptOf(fields: Fields): { transcript?: string } {
  const transcript = text(fields["transcript_path"]);
  return transcript === undefined ? {} : { transcript };
}

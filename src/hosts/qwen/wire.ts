import { isObject } from "../../text/schema.ts";
import { wire as claude } from "../claude/wire.ts";
import type { Environment, Host, HostEvent } from "../host.ts";
import { list, text } from "../json.ts";
import { eventIn } from "../wire-event.ts";
import { environment } from "./environment.ts";

const eventOf = (input: unknown, env: Environment): HostEvent | undefined =>
  eventIn(input, environment.projectFolder(env));

const EVENTS = {
  prompt: "UserPromptSubmit",
  start: "SessionStart",
  return: "PostToolUse",
} as const;

/** Claude's events with a few fields of its own. */
export const wire: Host["wire"] = {
  parseStop(input, env) {
    const event = eventOf(input, env);
    const stopped = event === undefined ? undefined : claude.parseStop(input, env);
    if (event === undefined || stopped === undefined) return undefined;
    const tasks = list((input as Readonly<Record<string, unknown>>)["background_tasks"]);
    return {
      ...stopped,
      ...event,
      // Agents only, and those that have ended too.
      agentsRunning: tasks.filter((task) => isObject(task) && task["status"] === "running").length,
    };
  },

  formatAnswer: ({ reason, say }) =>
    reason === undefined && say === undefined
      ? ""
      : JSON.stringify({
          ...(reason === undefined ? {} : { decision: "block", reason }),
          ...(say === undefined ? {} : { systemMessage: say }),
        }),

  /** The event also comes after each tool and with each continuation: then nobody submitted anything. */
  parsePrompt(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Readonly<Record<string, unknown>>;
    const typed = text(fields["submitted_prompt"]);
    if (typed === undefined) return undefined;
    const promptId = text(fields["prompt_id"]);
    return {
      ...event,
      text: typed,
      tellsCommands: false,
      ...(promptId === undefined ? {} : { promptId }),
      typed: !/^\s*\//.test(typed),
      isNotification: false,
    };
  },

  parseStart: eventOf,
  parseEnd: eventOf,
  parseFailure: (input, env) => {
    const event = eventOf(input, env);
    const failed = event === undefined ? undefined : claude.parseFailure?.(input, env);
    return failed === undefined ? undefined : { ...failed, ...event };
  },

  /** The client shows the user no line at these events. */
  formatNotice: (event, _say, context) =>
    context === undefined
      ? ""
      : JSON.stringify({
          hookSpecificOutput: {
            hookEventName: EVENTS[event],
            additionalContext: explainBrackets(context),
          },
        }),
};

/** The client escapes them in what a hook adds: the model has to know, or it would type that into a shell. */
const explainBrackets = (context: string): string =>
  /[<>]/.test(context)
    ? `(In this text, &lt; and &gt; stand for the signs less-than and greater-than.)\n\n${context}`
    : context;

import { listOf, textOf } from "../../agents/json.ts";
import {
  eventsOf,
  failureIn,
  formatBlock,
  formatNotice,
  given,
  promptIn,
  stopIn,
} from "../hook-json.ts";
import type { Host } from "../host.ts";

export const PROJECT_FOLDER = "QWEN_PROJECT_DIR";
const { eventOf, read } = eventsOf(PROJECT_FOLDER);

export const wire: Host["wire"] = {
  parseStop: read((event, fields) => ({
    ...stopIn(event, fields),
    // Agents only, and those that have ended too.
    agentsRunning: listOf(fields["background_tasks"]).filter(({ status }) => status === "running")
      .length,
  })),

  formatAnswer: formatBlock,

  /** The event also comes after each tool and with each continuation: then nobody submitted anything. */
  parsePrompt: read((event, fields) => {
    const typed = textOf(fields["submitted_prompt"]);
    if (typed === undefined) return undefined;
    return { ...promptIn(event, typed), ...given("promptId", fields["prompt_id"]) };
  }),

  parseStart: eventOf,
  parseEnd: eventOf,
  // A sub-agent's error is not the end of the session's turn.
  parseFailure: read((event, fields) =>
    textOf(fields["agent_id"]) === undefined ? failureIn(event, fields) : undefined,
  ),

  /** The client shows the user no line at these events. */
  formatNotice: (event, _say, context) =>
    formatNotice(event, undefined, context === undefined ? undefined : explainBrackets(context)),
};

/** The client escapes them in what a hook adds: the model has to know, or it would type that into a shell. */
const explainBrackets = (context: string): string =>
  /[<>]/.test(context)
    ? `(In this text, &lt; and &gt; stand for the signs less-than and greater-than.)\n\n${context}`
    : context;

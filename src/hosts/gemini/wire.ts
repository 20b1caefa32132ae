import { textOf } from "../../agents/json.ts";
import { oneLine } from "../../text/template.ts";
import {
  addContext,
  eventsOf,
  formatFields,
  promptIn,
  stopIn,
  transcriptIn,
} from "../hook-json.ts";
import type { Answer, Host } from "../host.ts";

export const PROJECT_FOLDER = "GEMINI_PROJECT_DIR";
const { eventOf, read } = eventsOf(PROJECT_FOLDER);

/** Ends every prompt of ours: the client reports them to the same hook as what the user types. */
const NOT_TYPED =
  "(This message is from Smart Ralph's hook. The user started this run, and wants each task done and committed.)";

/** These contain all that the agent has to know, so it starts afresh with each. */
const WHOLE: ReadonlySet<Answer["outcome"]> = new Set(["continue", "sent-back", "review"]);

/** Text that is empty stands for a stop without anything to say: without it the client would show our log. */
const NOTHING = "{}";

export const wire: Host["wire"] = {
  /** The client's own `prompt_response` has everything since the user's prompt: the last message is in the transcript. */
  parseStop: read(stopIn),

  formatAnswer({ outcome, reason, say }) {
    if (reason === undefined) return formatFields({ systemMessage: say }) || NOTHING;
    return JSON.stringify({
      decision: "block",
      reason: `${reason}\n\n${NOT_TYPED}`,
      // Without one the client shows the whole reason.
      systemMessage: say ?? oneLine(reason.split("\n", 1)[0] as string, MAX_LINE),
      ...(WHOLE.has(outcome)
        ? { hookSpecificOutput: { hookEventName: "AfterAgent", clearContext: true } }
        : {}),
    });
  },

  parseEnd: read((event, fields) => ({ ...event, ...transcriptIn(fields) })),

  parseStart: eventOf,

  parsePrompt: read((event, fields) => {
    const prompt = textOf(fields["prompt"]) ?? "";
    if (prompt.endsWith(NOT_TYPED)) return undefined;
    return { ...promptIn(event, typedIn(prompt)), ...transcriptIn(fields) };
  }),

  /**
   * What is added at the start of a session comes before the first prompt of a headless client, which then no longer
   * knows the prompt for a command.
   */
  formatNotice(event, say, context) {
    const added = event === "prompt" && context !== undefined ? plain(context) : undefined;
    const hookSpecificOutput = addContext("BeforeAgent", added);
    return formatFields({ systemMessage: say, hookSpecificOutput }) || NOTHING;
  },
};

const MAX_LINE = 200;

/** What follows the user's words in the text of each command. The hook takes it off again. */
const REST = `

Smart Ralph's hook has run this command: follow what it added below. If nothing is added, do nothing but tell the user that the hook did not run, and that \`smart-ralph doctor\` says why.
`;

/** The text of a command, which the client fills with what the user typed after it. */
export const commandText = (plugin: string, name: string): string =>
  `/${plugin}:${name} {{args}}${REST}`;

/** Another extension's words at the start of a session are put before the first prompt of a headless client. */
const CONTEXT = /^(?:<hook_context>[^<]*<\/hook_context>\s*)+/;

/** What the user typed: `/ralph-specum:implement demo`. A client that is just starting sends it as it is. */
const typedIn = (prompt: string): string => {
  const text = prompt.replace(CONTEXT, "");
  return (text.endsWith(REST) ? text.slice(0, -REST.length) : text).trim();
};

/** The client escapes these two in what a hook adds, and no other. */
const plain = (context: string): string =>
  /[<>]/.test(context)
    ? `${context}\n\n(Above, &lt; and &gt; stand for the signs themselves.)`
    : context;

import { MAX_SESSION } from "../../run/loop.ts";
import { isObject } from "../../text/schema.ts";
import { oneLine } from "../../text/template.ts";
import type { Answer, Environment, Host, HostEvent } from "../host.ts";
import { text } from "../json.ts";
import { typedIn } from "./command-text.ts";
import { environment } from "./environment.ts";

/** Ends every prompt of ours: the client reports them to the same hook as what the user types. */
const NOT_TYPED =
  "(This message is from Smart Ralph's hook. The user started this run, and wants each task done and committed.)";

/** These contain all that the agent has to know, so it starts afresh with each. */
const WHOLE: ReadonlySet<Answer["outcome"]> = new Set(["continue", "sent-back", "review"]);

/** Text that is empty stands for a stop without anything to say: without it the client would show our log. */
const NOTHING = "{}";

export const wire: Host["wire"] = {
  /** The client's own `prompt_response` has everything since the user's prompt: the last message is in the transcript. */
  parseStop(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const { stop_hook_active: active } = input as Json;
    return { ...event, continuing: active === true, agentsRunning: 0, ...transcriptOf(input) };
  },

  formatAnswer({ outcome, reason, say }) {
    if (reason === undefined)
      return say === undefined ? NOTHING : JSON.stringify({ systemMessage: say });
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

  parseEnd(input, env) {
    const event = eventOf(input, env);
    return event && { ...event, ...transcriptOf(input) };
  },

  parseStart: eventOf,

  parsePrompt(input, env) {
    const event = eventOf(input, env);
    const prompt = text((input as Json | null | undefined)?.["prompt"]) ?? "";
    if (event === undefined || prompt.endsWith(NOT_TYPED)) return undefined;
    const typed = typedIn(prompt);
    return {
      ...event,
      text: typed,
      tellsCommands: false,
      typed: !typed.startsWith("/"),
      isNotification: false,
      ...transcriptOf(input),
    };
  },

  /**
   * What is added at the start of a session comes before the first prompt of a headless client, which then no longer
   * knows the prompt for a command.
   */
  formatNotice(event, say, context) {
    const added = event === "prompt" ? context : undefined;
    if (say === undefined && added === undefined) return NOTHING;
    return JSON.stringify({
      ...(say === undefined ? {} : { systemMessage: say }),
      ...(added === undefined
        ? {}
        : {
            hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: plain(added) },
          }),
    });
  },
};

const MAX_LINE = 200;

type Json = Readonly<Record<string, unknown>>;

function eventOf(input: unknown, env: Environment): HostEvent | undefined {
  if (!isObject(input)) return undefined;
  const cwd = text(input["cwd"]);
  if (cwd === undefined || cwd === "") return undefined;
  const projectFolder = environment.projectFolder(env);
  return {
    sessionId: text(input["session_id"])?.slice(0, MAX_SESSION) ?? null,
    cwd,
    ...(projectFolder === undefined ? {} : { projectFolder }),
  };
}

function transcriptOf(input: unknown): { readonly transcript?: string } {
  const transcript = text((input as Json)["transcript_path"]);
  return transcript === undefined || transcript === "" ? {} : { transcript };
}

/** The client escapes these two in what a hook adds, and no other. */
const plain = (context: string): string =>
  /[<>]/.test(context)
    ? `${context}\n\n(Above, &lt; and &gt; stand for the signs themselves.)`
    : context;

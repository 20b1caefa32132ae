import type { ClientEvent } from "./client.ts";

/** What one hook answered, as the client saw it. */
export interface HookAnswer {
  readonly event: string;
  readonly exitCode: number;
  readonly stderr: string;
  readonly stdout: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
}

/** All answers to one hook event, in order; of our hooks and of foreign ones alike. */
export function hookAnswers(events: readonly ClientEvent[], name: string): HookAnswer[] {
  return events
    .filter((event) => event.subtype === "hook_response" && event["hook_event"] === name)
    .map((event) => ({
      event: name,
      exitCode: Number(event["exit_code"]),
      stderr: String(event["stderr"] ?? ""),
      stdout: String(event["stdout"] ?? ""),
      ...parseAnswer(String(event["stdout"] ?? "")),
    }));
}

export const blocks = (events: readonly ClientEvent[]): HookAnswer[] =>
  hookAnswers(events, "Stop").filter((answer) => answer.decision === "block");

/** The lines for the user that came with an agent's result or at a stop, in order. */
export const linesIn = (events: readonly ClientEvent[]): string[] =>
  events.flatMap(({ subtype, hook_event: name, stdout }) =>
    subtype === "hook_response" && (name === "Stop" || name === "PostToolUse")
      ? (parseAnswer(String(stdout ?? "")).systemMessage ?? [])
      : [],
  );

interface Specific {
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly additionalContext?: string;
  };
}

function parseAnswer(stdout: string): Partial<HookAnswer> {
  try {
    const answer = JSON.parse(stdout) as Partial<HookAnswer> & Specific;
    const { hookEventName, additionalContext } = answer.hookSpecificOutput ?? {};
    // Newer clients go on with this as with a block, and do not call it an error.
    return hookEventName === "Stop" && additionalContext !== undefined
      ? { ...answer, decision: "block", reason: additionalContext }
      : answer;
  } catch {
    return {};
  }
}

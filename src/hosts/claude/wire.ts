import { MAX_SESSION } from "../../run/loop.ts";
import { isObject } from "../../text/schema.ts";
import type { Environment, Host, HostEvent } from "../host.ts";
import { list, text } from "../json.ts";
import { environment } from "./environment.ts";

/**
 * Kinds of background work that are agents. The client wakes the session when one ends, so a task handed out in the
 * meantime would run twice; a shell (a dev server, say) may run forever and does not count.
 */
const AGENTS = new Set([
  "subagent",
  "workflow",
  "teammate",
  "cloud session",
  "local_agent",
  "local_workflow",
  "in_process_teammate",
  "remote_agent",
]);

const EVENTS = { prompt: "UserPromptSubmit", start: "SessionStart" } as const;

export const wire: Host["wire"] = {
  parseStop(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Readonly<Record<string, unknown>>;
    const transcript = text(fields["transcript_path"]);
    return {
      ...event,
      continuing: fields["stop_hook_active"] === true,
      // Null means that the agent said nothing; absent means that the client is too old to send it.
      ...("last_assistant_message" in fields
        ? { message: text(fields["last_assistant_message"]) ?? null }
        : {}),
      ...(transcript === undefined ? {} : { transcript }),
      agentsRunning: list(fields["background_tasks"]).filter(
        (task) => isObject(task) && AGENTS.has(text(task["type"]) ?? ""),
      ).length,
    };
  },

  parseFailure(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Readonly<Record<string, unknown>>;
    const parts = [fields["error"], fields["error_details"] ?? fields["last_assistant_message"]];
    return { ...event, error: parts.map(text).filter(Boolean).join(": ") || "unknown error" };
  },

  parseEnd(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const transcript = text((input as Readonly<Record<string, unknown>>)["transcript_path"]);
    return { ...event, ...(transcript === undefined ? {} : { transcript }) };
  },

  parseReport(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Readonly<Record<string, unknown>>;
    const agentType = text(fields["agent_type"]);
    const report = text(fields["last_assistant_message"]);
    if (agentType === undefined || report === undefined) return undefined;
    const transcript = text(fields["agent_transcript_path"]);
    return {
      ...event,
      agentId: text(fields["agent_id"]) ?? "",
      agentType,
      report,
      ...(transcript === undefined ? {} : { transcript }),
    };
  },

  formatRefusal: (reason) => JSON.stringify({ decision: "block", reason }),

  parsePrompt(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const fields = input as Readonly<Record<string, unknown>>;
    const prompt = text(fields["prompt"]) ?? "";
    const promptId = text(fields["prompt_id"]);
    return {
      ...event,
      text: prompt,
      // 2.1.142 sets it, and has UserPromptExpansion, as 2.1.119 did; 2.1.113 has neither.
      tellsCommands: (env["AI_AGENT"] ?? "") !== "",
      ...(promptId === undefined ? {} : { promptId }),
      typed: !/^\s*(?:\/|<task-notification>)/.test(prompt),
    };
  },

  formatAnswer({ reason, say }) {
    if (reason === undefined && say === undefined) return "";
    return JSON.stringify({
      ...(reason === undefined ? {} : { decision: "block", reason }),
      ...(say === undefined ? {} : { systemMessage: say }),
    });
  },

  parseStart: eventOf,

  parseQuestion: eventOf,

  formatDenial: (reason) =>
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    }),

  formatNotice: (event, say, context) =>
    JSON.stringify({
      systemMessage: say,
      hookSpecificOutput: { hookEventName: EVENTS[event], additionalContext: context },
    }),
};

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

import { isObject } from "../../text/schema.ts";
import type { Environment, Host } from "../host.ts";
import { list, text } from "../json.ts";
import { agents } from "./wire-agents.ts";
import { eventOf } from "./wire-event.ts";

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

const EVENTS = {
  prompt: "UserPromptSubmit",
  start: "SessionStart",
  return: "PostToolUse",
} as const;

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
    // A sub-agent's error is not the end of the session's turn.
    if (text(fields["agent_id"]) !== undefined) return undefined;
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
    const transcript = text(fields["transcript_path"]);
    const isNotification = /^\s*<task-notification>/.test(prompt);
    return {
      ...event,
      text: prompt,
      // 2.1.142 sets it, and has UserPromptExpansion, as 2.1.119 did; 2.1.113 has neither.
      tellsCommands: (env["AI_AGENT"] ?? "") !== "",
      ...(promptId === undefined ? {} : { promptId }),
      typed: !isNotification && !/^\s*\//.test(prompt),
      isNotification,
      ...(transcript === undefined ? {} : { transcript }),
    };
  },

  ...agents,

  formatAnswer({ reason, say }, env) {
    if (reason === undefined && say === undefined) return "";
    const goOn = isNewer(env, [2, 1, 200])
      ? { hookSpecificOutput: { hookEventName: "Stop", additionalContext: reason } }
      : { decision: "block", reason };
    return JSON.stringify({
      ...(reason === undefined ? {} : goOn),
      ...(say === undefined ? {} : { systemMessage: say }),
    });
  },

  parseStart: eventOf,

  parseQuestion: eventOf,

  formatDenial: (reason) => formatPermission("deny", reason),

  parseCommand(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return undefined;
    const { tool_name, tool_input } = input as Readonly<Record<string, unknown>>;
    const command = isObject(tool_input) ? text(tool_input["command"]) : undefined;
    return tool_name === "Bash" && command !== undefined ? { ...event, command } : undefined;
  },

  formatPermission: (reason) => formatPermission("allow", reason),

  formatNotice: (event, say, context) =>
    say === undefined && context === undefined
      ? ""
      : JSON.stringify({
          ...(say === undefined ? {} : { systemMessage: say }),
          ...(context === undefined
            ? {}
            : {
                hookSpecificOutput: { hookEventName: EVENTS[event], additionalContext: context },
              }),
        }),
};

/** Hooks of 2.1.142 and later are told the client's version: `claude-code_2-1-325_harness`. */
function isNewer({ AI_AGENT = "" }: Environment, least: readonly number[]): boolean {
  const version = /^claude-code_(\d+)-(\d+)-(\d+)/.exec(AI_AGENT)?.slice(1).map(Number);
  if (version === undefined) return false;
  for (const [i, part] of version.entries())
    if (part !== least[i]) return part > (least[i] as number);
  return true;
}

const formatPermission = (permissionDecision: "allow" | "deny", reason: string): string =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: reason,
    },
  });

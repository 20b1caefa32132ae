import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../../agents/json.ts";
import {
  addContext,
  eventsOf,
  failureIn,
  formatBlock,
  formatFields,
  formatNotice,
  given,
  promptIn,
  stopIn,
  transcriptIn,
} from "../hook-json.ts";
import type { Environment, Host } from "../host.ts";

export const PROJECT_FOLDER = "CLAUDE_PROJECT_DIR";
const { eventOf, read } = eventsOf(PROJECT_FOLDER);

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

export const wire: Host["wire"] = {
  parseStop: read((event, fields) => ({
    ...stopIn(event, fields),
    agentsRunning: listOf(fields["background_tasks"]).filter(({ type }) =>
      AGENTS.has(textOf(type) ?? ""),
    ).length,
  })),

  // A sub-agent's error is not the end of the session's turn.
  parseFailure: read((event, fields) =>
    textOf(fields["agent_id"]) === undefined ? failureIn(event, fields) : undefined,
  ),

  parseEnd: read((event, fields) => ({ ...event, ...transcriptIn(fields) })),

  parseReport: read((event, fields) => {
    const agentType = textOf(fields["agent_type"]);
    const report = textOf(fields["last_assistant_message"]);
    if (agentType === undefined || report === undefined) return undefined;
    return {
      ...event,
      agentId: textOf(fields["agent_id"]) ?? "",
      agentType,
      report,
      ...given("transcript", fields["agent_transcript_path"]),
    };
  }),

  formatRefusal: (reason) => JSON.stringify({ decision: "block", reason }),

  parsePrompt: read((event, fields, env) => {
    const prompt = promptIn(event, textOf(fields["prompt"]) ?? "");
    const isNotification = /^\s*<task-notification>/.test(prompt.text);
    return {
      ...prompt,
      // 2.1.142 sets it, and has UserPromptExpansion, as 2.1.119 did; 2.1.113 has neither.
      tellsCommands: (env["AI_AGENT"] ?? "") !== "",
      ...given("promptId", fields["prompt_id"]),
      typed: prompt.typed && !isNotification,
      isNotification,
      ...transcriptIn(fields),
    };
  }),

  parseDelegation: read((event, fields) => {
    const call = toolCallIn(fields);
    const isNested = textOf(fields["agent_id"]) !== undefined;
    return call === undefined ? undefined : { ...event, ...call, isNested };
  }),

  formatOrders(input, agent, orders, say) {
    const { description, model } = fieldsOf(fieldsOf(input)["tool_input"]);
    return JSON.stringify({
      systemMessage: say,
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        // Nothing else: where it runs, and with which permissions, is not the coordinator's to say.
        updatedInput: {
          description,
          model,
          subagent_type: agent,
          prompt: orders,
          run_in_background: false,
        },
      },
    });
  },

  parseReturn: read((event, fields) => {
    const call = toolCallIn(fields);
    if (call === undefined) return undefined;
    const result = fieldsOf(fields["tool_response"]);
    return {
      ...event,
      callId: call.callId,
      agentId: textOf(result["agentId"]) ?? "",
      isOver: result["status"] === "completed",
      tokens: numberOf(result["totalTokens"]) ?? null,
      toolUses: numberOf(result["totalToolUseCount"]) ?? null,
      ms: numberOf(result["totalDurationMs"]) ?? null,
      model: textOf(result["resolvedModel"]) ?? null,
    };
  }),

  formatWait: (stopReason) => JSON.stringify({ continue: false, stopReason }),

  parseNotification(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return [];
    const prompt = textOf(fieldsOf(input)["prompt"]) ?? "";
    return prompt.split("<task-notification>").flatMap((one) => {
      const tag = (name: string): string | undefined =>
        new RegExp(`<${name}>([^<]{0,200})</${name}>`).exec(one)?.[1];
      const callId = tag("tool-use-id");
      if (callId === undefined) return [];
      const count = (name: string): number | null =>
        tag(name) === undefined ? null : Number(tag(name));
      return [
        {
          ...event,
          callId,
          agentId: tag("task-id") ?? "",
          isOver: true,
          tokens: count("subagent_tokens"),
          toolUses: count("tool_uses"),
          ms: count("duration_ms"),
          model: null,
        },
      ];
    });
  },

  formatAnswer: (answer, env) =>
    isNewer(env, [2, 1, 200])
      ? formatFields({
          hookSpecificOutput: addContext("Stop", answer.reason),
          systemMessage: answer.say,
        })
      : formatBlock(answer),

  parseStart: eventOf,

  parseQuestion: eventOf,

  formatDenial: (reason) => formatPermission("deny", reason),

  parseCommand: read((event, { tool_name, tool_input }) => {
    const command = textOf(fieldsOf(tool_input)["command"]);
    return tool_name === "Bash" && command !== undefined ? { ...event, command } : undefined;
  }),

  formatPermission: (reason) => formatPermission("allow", reason),

  formatNotice,
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

/** A call of the tool that starts a sub-agent. */
function toolCallIn(fields: Fields) {
  const asked = fieldsOf(fields["tool_input"]);
  const callId = textOf(fields["tool_use_id"]);
  const agentType = textOf(asked["subagent_type"]);
  if (callId === undefined || agentType === undefined) return undefined;
  const prompt = textOf(asked["prompt"]) ?? "";
  return { callId, agentType, prompt, description: textOf(asked["description"]) ?? "" };
}

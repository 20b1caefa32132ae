import { isObject } from "../../text/schema.ts";
import type { Host } from "../host.ts";
import { text } from "../json.ts";
import { eventOf } from "./wire-event.ts";

type AgentWire = Pick<
  Host["wire"],
  "parseDelegation" | "formatOrders" | "parseReturn" | "formatWait" | "parseNotification"
>;

/** How sub-agents start and end. */
export const agents: AgentWire = {
  parseDelegation(input, env) {
    const event = eventOf(input, env);
    const call = toolCallOf(input);
    if (event === undefined || call === undefined) return undefined;
    const isNested = text((input as Readonly<Record<string, unknown>>)["agent_id"]) !== undefined;
    return { ...event, ...call, isNested };
  },

  formatOrders(input, agent, orders, say) {
    const given = isObject(input) && isObject(input["tool_input"]) ? input["tool_input"] : {};
    return JSON.stringify({
      ...(say === undefined ? {} : { systemMessage: say }),
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        // Nothing else: where it runs, and with which permissions, is not the coordinator's to say.
        updatedInput: {
          ...("description" in given ? { description: given["description"] } : {}),
          ...("model" in given ? { model: given["model"] } : {}),
          subagent_type: agent,
          prompt: orders,
          run_in_background: false,
        },
      },
    });
  },

  parseReturn(input, env) {
    const event = eventOf(input, env);
    const call = toolCallOf(input);
    if (event === undefined || call === undefined) return undefined;
    const response = (input as Readonly<Record<string, unknown>>)["tool_response"];
    const result = isObject(response) ? response : {};
    return {
      ...event,
      callId: call.callId,
      agentId: text(result["agentId"]) ?? "",
      isOver: result["status"] === "completed",
      tokens: number(result["totalTokens"]),
      toolUses: number(result["totalToolUseCount"]),
      ms: number(result["totalDurationMs"]),
      model: text(result["resolvedModel"]) ?? null,
    };
  },

  formatWait: (stopReason) => JSON.stringify({ continue: false, stopReason }),

  parseNotification(input, env) {
    const event = eventOf(input, env);
    if (event === undefined) return [];
    const prompt = text((input as Readonly<Record<string, unknown>>)["prompt"]) ?? "";
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
};

/** A call of the tool that starts a sub-agent. */
function toolCallOf(
  input: unknown,
): { callId: string; agentType: string; prompt: string; description: string } | undefined {
  if (!isObject(input) || !isObject(input["tool_input"])) return undefined;
  const callId = text(input["tool_use_id"]);
  const agentType = text(input["tool_input"]["subagent_type"]);
  if (callId === undefined || agentType === undefined) return undefined;
  const prompt = text(input["tool_input"]["prompt"]) ?? "";
  return { callId, agentType, prompt, description: text(input["tool_input"]["description"]) ?? "" };
}

const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

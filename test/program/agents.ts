import { expect } from "vitest";
import { end } from "./claims.ts";
import type { Place } from "./support.ts";

/** What the client is told when the coordinator starts an agent. */
export interface Sent {
  /** What the agent is told, unless it does not start. */
  readonly orders: string;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly denied: string | undefined;
  /** What the user is told. */
  readonly say: string | undefined;
}

interface Output {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision?: "allow" | "deny";
    readonly permissionDecisionReason?: string;
    readonly updatedInput?: Readonly<Record<string, unknown>>;
    readonly additionalContext?: string;
  };
}

const typeOf = ({ layout }: Place, agent: string): string => `${layout.plugin}:${agent}`;

function hook(place: Place, event: string, fields: object): Output {
  const { code, out, err } = place.hook(event, fields);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out === "" ? {} : (JSON.parse(out) as Output);
}

const callOf = (place: Place, callId: string, prompt: string, agent: string): object => ({
  tool_name: "Agent",
  tool_use_id: callId,
  tool_input: { description: "A task", prompt, subagent_type: typeOf(place, agent) },
});

/** The coordinator starts an agent with this prompt. */
export function send(
  place: Place,
  prompt: string,
  { call = `call-${prompt}`, agent = "spec-executor", ...fields }: SendOptions = {},
): Sent {
  const { systemMessage: say, hookSpecificOutput: told } = hook(place, "delegate", {
    hook_event_name: "PreToolUse",
    ...callOf(place, call, prompt, agent),
    ...fields,
  });
  if (told !== undefined) expect(told.hookEventName).toBe("PreToolUse");
  const input = told?.permissionDecision === "allow" ? told.updatedInput : undefined;
  return {
    say,
    input,
    orders: String(input?.["prompt"] ?? ""),
    denied: told?.permissionDecision === "deny" ? told.permissionDecisionReason : undefined,
  };
}

export type SendOptions = Readonly<Record<string, unknown>> & {
  readonly call?: string;
  readonly agent?: string;
};

/** What the agent that is started on a task is told. */
export const ordersFor = (place: Place, id: string, options: SendOptions = {}): string =>
  send(place, id, options).orders;

export interface Returned {
  /** What the coordinator reads with the agent's result. */
  readonly context: string | undefined;
  readonly say: string | undefined;
}

/** The agent that was started with this prompt gives its result. */
export function giveBack(
  place: Place,
  prompt: string,
  { call = `call-${prompt}`, agent = "spec-executor", ...fields }: SendOptions = {},
): Returned {
  const { systemMessage, hookSpecificOutput: told } = hook(place, "return", {
    hook_event_name: "PostToolUse",
    ...callOf(place, call, prompt, agent),
    tool_response: { status: "completed", agentId: "agent-1", totalTokens: 900 },
    ...fields,
  });
  if (told !== undefined) expect(told.hookEventName).toBe("PostToolUse");
  return { context: told?.additionalContext, say: systemMessage };
}

/** A whole agent: it is started, reports, and gives its result. */
export function work(
  place: Place,
  id: string,
  message = `${id}: wrote it.\n\nTASK_COMPLETE`,
  { agent = "spec-executor", ...options }: SendOptions = {},
): Returned {
  expect(send(place, id, { agent, ...options }).denied).toBeUndefined();
  end(place, {
    agent_id: `agent-${id}`,
    agent_type: typeOf(place, agent),
    last_assistant_message: message,
  });
  return giveBack(place, id, { agent, ...options });
}

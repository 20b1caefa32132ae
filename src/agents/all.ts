import { gemini, opencode, qwen } from "./acp/agents.ts";
import type { Agent } from "./port.ts";

/** Every agent that we can start, in the order in which they are looked for. */
export const agents: readonly Agent[] = [gemini, qwen, opencode];

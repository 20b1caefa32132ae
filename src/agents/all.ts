import { gemini, opencode, qwen } from "./acp/agent.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot/copilot.ts";
import type { Agent } from "./port.ts";

/** Every agent that we can start, in the order in which we look for them. */
export const agents: readonly Agent[] = [claude, codex, gemini, qwen, opencode, copilot];

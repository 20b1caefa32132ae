import type { Adapter } from "./adapter.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** Every client that is tested, in the order of `docs/compatibility.md`. */
export const adapters: readonly Adapter[] = [claude, codex, gemini, qwen, copilot, opencode];

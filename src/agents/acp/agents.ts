import { acpAgent } from "./agent.ts";
import { GEMINI, OPENCODE, QWEN } from "./quirks.ts";

export const gemini = acpAgent({
  id: "gemini",
  name: "Gemini CLI",
  command: ["gemini", "--acp"],
  site: "https://github.com/google-gemini/gemini-cli",
  quirks: GEMINI,
});

export const qwen = acpAgent({
  id: "qwen",
  name: "Qwen Code",
  command: ["qwen", "--acp"],
  site: "https://github.com/QwenLM/qwen-code",
  quirks: QWEN,
});

export const opencode = acpAgent({
  id: "opencode",
  name: "OpenCode",
  command: ["opencode", "acp"],
  site: "https://opencode.ai",
  quirks: OPENCODE,
});

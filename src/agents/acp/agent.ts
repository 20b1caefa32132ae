import type { Agent } from "../port.ts";
import { type AcpSettings, GEMINI, OPENCODE, QWEN } from "./quirks.ts";

/** An agent that speaks ACP. The library takes 50 ms to load, so it is imported only when needed. */
export const acpAgent = (settings: AcpSettings): Agent => ({
  id: settings.id,
  name: settings.name,
  driver: "acp",
  rights: () =>
    settings.quirks?.mode === undefined
      ? "every permission that it asks for"
      : `its mode ${settings.quirks.mode}`,
  async probe(place) {
    const { probeAcp } = await import("./probe.ts");
    return probeAcp(settings, place);
  },
  async run(work, on, stop) {
    const { runAcp } = await import("./run.ts");
    return runAcp(settings, work, on, stop);
  },
});

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

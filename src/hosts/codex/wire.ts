import { wire as claude } from "../claude/wire.ts";
import type { Host } from "../host.ts";

/** Claude's events, and answers with no key that the client does not know: one unknown key fails the hook. */
export const wire: Host["wire"] = {
  parseStop: claude.parseStop,
  formatAnswer: ({ reason, say }) =>
    reason === undefined && say === undefined
      ? ""
      : JSON.stringify({
          ...(reason === undefined ? {} : { decision: "block", reason }),
          ...(say === undefined ? {} : { systemMessage: say }),
        }),
  parsePrompt(input, env) {
    const spoken = claude.parsePrompt?.(input, env);
    if (spoken === undefined) return undefined;
    // A skill is mentioned with a dollar sign.
    const text = spoken.text.replace(/^\s*\$(?=ralph-)/, "/");
    return { ...spoken, text, tellsCommands: false, typed: !text.startsWith("/") };
  },
  ...(claude.formatNotice === undefined ? {} : { formatNotice: claude.formatNotice }),
};

import type { Edition, Layout } from "../../layouts/layout.ts";
import { capitalize } from "../../text/wording.ts";

/** A layout as Claude Code's users see it: one plugin, with slash commands. */
export const edition = (layout: Layout): Edition => {
  const { plugin } = layout;
  return {
    ...layout,
    settingsFile: `.claude/${plugin}.local.md`,
    voice: {
      brand: capitalize(plugin),
      command: (name) => `/${plugin}:${name}`,
      agent: (name) => `${plugin}:${name}`,
      worker: { kind: "agents", tool: "Agent" },
      // The client puts it on the path of the commands it runs.
      program: plugin,
      questionTool: "AskUserQuestion",
      questionsAtOnce: 4,
    },
  };
};

import type { Edition, Layout } from "../layouts/layout.ts";
import { capitalize, SHELL_PROGRAM } from "../text/wording.ts";

/** A layout as a run without a client sees it: its users type into a shell, and its agents are started by us. */
export const runnerEdition = (layout: Layout, program: string): Edition => ({
  ...layout,
  settingsFile: `.claude/${layout.plugin}.local.md`,
  voice: {
    brand: capitalize(layout.plugin),
    command: (name) => `${SHELL_PROGRAM} ${name}`,
    agent: (name) => name,
    worker: { kind: "agents", tool: "" },
    program,
    questionTool: "",
  },
});

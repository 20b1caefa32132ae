import type { runDemo } from "../../../demo/demo.ts";
import type { Command } from "../../command.ts";

/** In a separate bundle: no other command needs it. */
const loadDemo = () => (require("./demo.cjs") as { runDemo: typeof runDemo }).runDemo;

export const demo: Command = {
  summary: "watch a scripted agent do a spec; needs no account",
  options: {
    fast: { summary: "no pauses between the lines" },
    keep: { summary: "leave the temporary project in place" },
  },
  details: "The agent is a script. The hook, the commands and the files are the real ones.",
  run: (context, input) => loadDemo()(context, input),
};

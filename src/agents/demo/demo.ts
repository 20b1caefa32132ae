import { join } from "node:path";
import type { Agent, Outcome } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { limitEnding } from "../resets-at.ts";
import { type Heard, NOTHING_HEARD, readLine } from "./read.ts";
import type { DemoScene } from "./script.ts";

declare const __dirname: string;

export const DEMO = "demo";

/** The built-in agent: a script that really does the work, in its own process like any other agent. */
export function demoAgent(scenes: readonly DemoScene[]): Agent {
  const driver: HeadlessDriver<Heard> = {
    commandLine: ({ prompt, model }) => ({
      command: [process.execPath, join(__dirname, "demo-agent.cjs")],
      input: JSON.stringify({ prompt, scenes, model }),
    }),
    begin: () => NOTHING_HEARD,
    read: readLine,
    conclude: ({ usage, end }): Outcome => {
      const report = end?.how === "turn" ? end.text : "";
      if (end === undefined)
        return { ending: { kind: "crashed", text: "it ended without a result" }, report, usage };
      if (end.how === "turn") return { ending: { kind: "turn" }, report, usage };
      const { how, text, resetsAt } = end;
      const ending = how === "limit" ? limitEnding(text, resetsAt) : { kind: how, text };
      return { ending, report, usage };
    },
  };
  return {
    id: DEMO,
    name: "the built-in script",
    driver: "demo",
    rights: () => "",
    probe: () => Promise.resolve({ installed: true, loggedIn: true }),
    run: (work, on, stop) => runHeadless(driver, work, on, stop),
  };
}

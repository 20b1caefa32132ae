import { join } from "node:path";
import { toldEdits } from "../edits.ts";
import type { Agent, Outcome, Usage } from "../port.ts";
import { NO_TOKENS } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import type { DemoLine, DemoScene } from "./script.ts";

interface State {
  readonly usage: Usage;
  readonly end: Extract<DemoLine, { type: "end" }> | undefined;
}

declare const __dirname: string;

export const DEMO = "demo";

/** The built-in agent: a script that really does the work, in its own process like any other agent. */
export function demoAgent(scenes: readonly DemoScene[]): Agent {
  const driver: HeadlessDriver<State> = {
    commandLine: ({ prompt, model }) => ({
      command: [process.execPath, join(__dirname, "demo-agent.cjs")],
      input: JSON.stringify({ prompt, scenes, model }),
    }),
    begin: () => ({ usage: { tokens: NO_TOKENS }, end: undefined }),
    read(state, line) {
      const said = JSON.parse(line) as DemoLine;
      switch (said.type) {
        case "text":
        case "tool": {
          const { text, file } = said;
          const event =
            said.type === "text"
              ? ({ kind: "text", text } as const)
              : ({ kind: "tool", title: text } as const);
          return { state, events: [event, ...toldEdits([file])] };
        }
        case "usage": {
          const usage = add(state.usage, said);
          return { state: { ...state, usage }, events: [{ kind: "usage", usage }] };
        }
        case "end":
          return { state: { ...state, end: said }, events: [] };
      }
    },
    conclude: ({ usage, end }): Outcome => {
      const report = end?.how === "turn" ? end.text : "";
      if (end === undefined)
        return { ending: { kind: "crashed", text: "it ended without a result" }, report, usage };
      if (end.how === "turn") return { ending: { kind: "turn" }, report, usage };
      const { text, resetsAt } = end;
      if (end.how !== "limit") return { ending: { kind: end.how, text }, report, usage };
      const reset = resetsAt === undefined ? {} : { resetsAt };
      return { ending: { kind: "limit", text, ...reset }, report, usage };
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

const add = (
  { tokens, usd, calls = 0 }: Usage,
  said: Extract<DemoLine, { type: "usage" }>,
): Usage => ({
  tokens: {
    input: tokens.input + said.input,
    cached: tokens.cached,
    output: tokens.output + said.output,
  },
  ...(said.usd === undefined && usd === undefined ? {} : { usd: (usd ?? 0) + (said.usd ?? 0) }),
  calls: calls + 1,
});

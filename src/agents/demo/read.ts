import { type Fields, fieldsOf, numberOf, parseFields, textOf } from "../json.ts";
import { addTokens, NO_TOKENS, type Usage } from "../port.ts";
import { other, step, type Step, toldEdits } from "../reading.ts";
import type { DemoLine } from "./script.ts";

/** What the agent has said so far. */
export interface Heard {
  readonly usage: Usage;
  readonly end: DemoEnding | undefined;
}

type DemoEnding = Extract<DemoLine, { type: "end" }>;

export const NOTHING_HEARD: Heard = { usage: { tokens: NO_TOKENS }, end: undefined };

/** One line of the built-in agent. */
export function readLine(state: Heard, line: string): Step<Heard> {
  const said = fieldsOf(parseFields(line));
  const text = textOf(said["text"]) ?? "";
  switch (said["type"]) {
    case "text":
      return step(state, [{ kind: "text", text }]);
    case "tool":
      return step(state, [{ kind: "tool", title: text }, ...toldEdits([textOf(said["file"])])]);
    case "usage": {
      const usage = addUsage(state.usage, said);
      return step({ ...state, usage }, [{ kind: "usage", usage }]);
    }
    case "end": {
      const end = said as unknown as DemoEnding;
      return step({ ...state, end }, [{ kind: end.how === "turn" ? "text" : "error", text }]);
    }
    default:
      return step(state, [other(said, line)]);
  }
}

function addUsage({ tokens, usd, calls = 0 }: Usage, said: Fields): Usage {
  const [input = 0, output = 0] = [numberOf(said["input"]), numberOf(said["output"])];
  const more = numberOf(said["usd"]);
  return {
    tokens: addTokens(tokens, { input, cached: 0, output }),
    ...(more === undefined && usd === undefined ? {} : { usd: (usd ?? 0) + (more ?? 0) }),
    calls: calls + 1,
  };
}

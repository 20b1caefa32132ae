import type { Exit } from "../../exec/start.ts";
import { oneLine } from "../../text/template.ts";
import type { Ending, Outcome } from "../port.ts";
import { endedWithoutResult } from "../process/headless.ts";
import { limitEnding, resetsAtIn } from "../resets-at.ts";
import { type Heard, usageOf } from "./read.ts";

/** How the run ended. Only a completed turn for which the model was called is a turn. */
export function conclude(state: Heard, exit: Exit, now: Date): Outcome {
  return { ending: endingOf(state, exit, now), report: state.text, usage: usageOf(state) };
}

const crashed = (text: string): Ending => ({ kind: "crashed", text });

function endingOf({ noSandbox, failure, end, used }: Heard, exit: Exit, now: Date): Ending {
  if (noSandbox !== undefined)
    return crashed(
      `Codex's own sandbox cannot start here (${noSandbox}); run with --sandbox docker, podman or none`,
    );
  if (end === "completed") {
    const isAsked = used !== undefined && used.input + used.output > 0;
    return isAsked ? { kind: "turn" } : crashed("it ended without calling the model");
  }
  return failure === undefined ? crashed(endedWithoutResult(exit)) : failureOf(failure, now);
}

type Failure = Exclude<Ending["kind"], "turn" | "stopped">;

/** Its errors are sentences. The first match decides. */
const FAILURES: readonly (readonly [kind: Failure, says: RegExp])[] = [
  ["limit", /usage limit|quota exceeded|out of credits|spend(?:ing)? (?:cap|limit)/i],
  ["too-long", /context window|context.length|maximum context/i],
  [
    "auth",
    /status:? 40[13]\b|unauthorized|not logged in|(?:sign|log) ?in again|access token|missing environment variable|upgrade to \w+: |model .{1,80} (?:does not exist|is not supported|not found)/i,
  ],
  [
    "busy",
    /rate limit|status:? (?:429|5\d\d)\b|too many requests|high demand|at capacity|overloaded|stream disconnected|connection failed|error sending request|timed? ?out|retry limit/i,
  ],
  ["refused", /content.filter|safety|flagged|policy|misalignment/i],
];

function failureOf(failure: string, now: Date): Ending {
  const text = oneLine(failure, 500);
  const kind = FAILURES.find(([, says]) => says.test(failure))?.[0] ?? "crashed";
  return kind === "limit" ? limitEnding(text, resetsAtIn(failure, now)) : { kind, text };
}

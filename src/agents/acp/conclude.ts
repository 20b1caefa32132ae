import type { Exit } from "../../exec/start.ts";
import { oneLine } from "../../text/template.ts";
import type { Fields } from "../json.ts";
import type { Ending } from "../port.ts";
import type { StoppedBy } from "../process/supervise.ts";
import { classify } from "./errors.ts";
import type { Finish } from "./session.ts";
import { type Heard, isLooping } from "./updates.ts";
import { hasUsage } from "./usage.ts";

export interface End {
  readonly finish: Finish;
  readonly exit: Exit;
  /** Whether it opened a session, and so was given the task. */
  readonly hasBegun: boolean;
  /** Why we ended it. */
  readonly by?: StoppedBy;
}

/** How the run ended. `now` is the base for relative times in a service's message. */
export function conclude(heard: Heard, end: End, now: number): Ending {
  const { finish, exit, by } = end;
  // What it used may reach the budget once it has answered: then its work is there.
  const isOver = finish.kind === "answered" && finish.response["stopReason"] === "end_turn";
  if (by !== undefined && !(by === "budget" && isOver))
    return concludeStop(heard, by, end.hasBegun, now);
  if (isLooping(heard))
    return {
      kind: "too-long",
      text: "it kept shortening its context without doing anything: the task does not fit",
    };
  switch (finish.kind) {
    case "failed":
      return classify(finish.failure, now);
    case "gone":
      return { kind: "crashed", text: describeExit(exit) };
    case "answered":
      return concludeTurn(heard, finish.response, now);
  }
}

/**
 * Agents retry silently, some of them forever. If the agent reported trouble, or the model had said nothing at all when
 * the silence deadline passed, the service is busy and there is no work to judge.
 */
function concludeStop(heard: Heard, by: StoppedBy, hasBegun: boolean, now: number): Ending {
  const { trouble, hasAnswered } = heard;
  if (by !== "silence" && by !== "wall") return { kind: "stopped", by };
  if (!hasBegun) return { kind: "crashed", text: "it did not open a session in time" };
  if (trouble !== undefined) {
    const ending = classify({ message: trouble }, now);
    return ending.kind === "crashed" ? { kind: "busy", text: ending.text } : ending;
  }
  if (by === "silence" && !hasAnswered)
    return { kind: "busy", text: "the model did not answer: its service may be busy" };
  return { kind: "stopped", by };
}

function concludeTurn(heard: Heard, { stopReason }: Fields, now: number): Ending {
  const last = oneLine(heard.message, 500);
  switch (stopReason) {
    case "end_turn":
      return concludeEnd(heard, now);
    case "refusal":
      return { kind: "refused", text: last || "the model refused" };
    // In both cases the task did not fit into one turn, and half of it may be done.
    case "max_tokens":
      return { kind: "too-long", text: "the model reached its token limit in this turn" };
    case "max_turn_requests":
      return {
        kind: "too-long",
        text: "the agent reached its own limit on model calls in this turn",
      };
    case "cancelled":
      return { kind: "crashed", text: "the agent cancelled its turn without being asked to" };
    default:
      return {
        kind: "crashed",
        text: oneLine(`the turn ended for an unknown reason: ${String(stopReason)}`),
      };
  }
}

/** How some agents word a service failure before they end their turn. */
const ERROR = /^\s*(?:(?:internal|api|execution|request)\s+)?error\b[:\s]/i;

/** ACP cannot end a turn with an error, so some agents end it normally, with the error as a message or with nothing. */
function concludeEnd(heard: Heard, now: number): Ending {
  const didNothing = !hasUsage(heard.usage) && !heard.hasWorked;
  if (ERROR.test(heard.message)) {
    const ending = classify({ message: heard.message }, now);
    if (ending.kind !== "crashed" || didNothing) return ending;
  }
  if (heard.trouble !== undefined && didNothing) return classify({ message: heard.trouble }, now);
  return didNothing && heard.message.trim() === ""
    ? { kind: "crashed", text: "its turn ended without a message, a tool call or a token" }
    : { kind: "turn" };
}

function describeExit({ code, signal, error, stderr }: Exit): string {
  if (error !== undefined) return oneLine(`it did not start: ${error}`, 500);
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return oneLine(
    `it ended ${how} in the middle of its turn${stderr === "" ? "" : `: ${stderr}`}`,
    500,
  );
}

import type { Ending } from "../../agents/port.ts";
import type { RunStatus } from "../events.ts";

/** How a run ended, for people. */
export const STATUS: Readonly<Record<RunStatus, string>> = {
  finished: "finished",
  unproven: "done, but not all of it is proven",
  stuck: "stuck",
  waits: "waits for you",
  budget: "budget used up",
  unavailable: "no agent can work",
  stopped: "stopped",
};

const STOPPED = {
  user: "was stopped",
  wall: "took too long and was ended",
  silence: "said nothing for too long and was ended",
  budget: "was ended: the budget is used up",
} as const;

const NAMES = {
  limit: "usage limit",
  busy: "the service is busy",
  auth: "not logged in",
  refused: "the model refused",
  "too-long": "the prompt is too long",
  crashed: "crashed",
} as const;

/** How an agent ended, for people; empty for an ordinary end. */
export function describeEnding(ending: Ending): string {
  if (ending.kind === "turn") return "";
  if (ending.kind === "stopped") return STOPPED[ending.by];
  return ending.text === "" ? NAMES[ending.kind] : `${NAMES[ending.kind]}: ${ending.text}`;
}

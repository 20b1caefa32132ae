import type { Ending } from "../../agents/port.ts";
import { oneLine } from "../../text/template.ts";

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

/** How an agent ended, for people and for the agent that comes next; empty for an ordinary end. */
export function describeEnding(ending: Ending): string {
  if (ending.kind === "turn") return "";
  if (ending.kind === "stopped") return STOPPED[ending.by];
  const text = oneLine(ending.text, 300);
  return text === "" ? NAMES[ending.kind] : `${NAMES[ending.kind]}: ${text}`;
}

import { statSync } from "node:fs";
import { type Fields, fieldsOf, textOf } from "../../agents/json.ts";
import { isObject } from "../../text/schema.ts";
import { parseRecords, readLastLines, timeOf } from "../transcript.ts";

/** The client writes a line for each event; a line with a picture or a long output may be large. */
const TAIL_BYTES = 256 << 10;

const TURNS = new Set(["task_started", "task_complete", "turn_aborted"]);

/** The client sends it with every stop; this is for a stop that comes without it. */
export const readLastMessage = (path: string, began: string | undefined): string | null =>
  textOf(lastTurn(path, began)?.["last_agent_message"]) ?? null;

/** The service error that ended the session's last turn, if any: the client has no event for it. */
export function readServiceError(path: string, began: string | undefined): string | undefined {
  const error = lastTurn(path, began)?.["error"];
  return isObject(error) ? (textOf(error["message"]) ?? "unknown error") : undefined;
}

/** Whether the user pressed Escape and has typed nothing since. */
export const readInterrupted = (path: string): boolean =>
  lastTurn(path, undefined)?.["type"] === "turn_aborted";

/** `codex queue` puts a prompt there for any session; the client notes where each turn came from before it runs a hook. */
export function readQueued(path: string): boolean {
  const turn = readTurns(path, Number.NaN).findLast(({ type }) => type === "task_started");
  return fieldsOf(turn?.["turn_attribution"])["turn_trigger"] === "queue";
}

/** Sub-agents do no work of ours. */
export const readOrders = (): undefined => undefined;

/** How the last turn ended; undefined if one has begun since, or if it ended before the run. */
function lastTurn(path: string, began: string | undefined): Fields | undefined {
  const last = readTurns(path, timeOf(began)).at(-1);
  return last?.["type"] === "task_started" ? undefined : last;
}

/** Where turns began and ended, as far as the end of the file has them, since then. */
function readTurns(path: string, since: number): Fields[] {
  const lines = readLastLines(path, TAIL_BYTES);
  if (lines.length === 0 || statSync(path).mtimeMs < since) return [];
  return parseRecords(lines)
    .filter(
      ({ type, timestamp }) =>
        type === "event_msg" && !(Date.parse(textOf(timestamp) ?? "") < since),
    )
    .map(({ payload }) => fieldsOf(payload))
    .filter(({ type }) => TURNS.has(textOf(type) ?? ""));
}

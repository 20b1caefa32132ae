import { statSync } from "node:fs";
import { readBeginning, readTail } from "../../store/read.ts";
import { isObject } from "../../text/schema.ts";
import { text } from "../json.ts";

/** The client writes a line for each event; a line with a picture or a long output may be large. */
const TAIL_BYTES = 256 << 10;

type Fields = Readonly<Record<string, unknown>>;

/** The client sends it with every stop; this is for a stop that comes without it. */
export const readLastMessage = (path: string, began: string | undefined): string | null =>
  text(lastTurn(path, began)?.["last_agent_message"]) ?? null;

/** The service error that ended the session's last turn, if any: the client has no event for it. */
export function readServiceError(path: string, began: string | undefined): string | undefined {
  const error = lastTurn(path, began)?.["error"];
  return isObject(error) ? (text(error["message"]) ?? "unknown error") : undefined;
}

/** When the session began, in milliseconds. */
export function readBegan(path: string): number | undefined {
  const head = readBeginning(path, TAIL_BYTES);
  const times = (head.kind === "ok" ? parseLines(head.text) : []).map((record) =>
    Date.parse(text(record["timestamp"]) ?? ""),
  );
  return times.find((time) => Number.isFinite(time));
}

/** Whether the user pressed Escape and has typed nothing since. */
export const readInterrupted = (path: string): boolean =>
  lastTurn(path, undefined)?.["type"] === "turn_aborted";

/** Sub-agents do no work of ours. */
export const readOrders = (): undefined => undefined;

/** How the last turn ended; undefined if one has begun since, or if it ended before the run. */
function lastTurn(path: string, began: string | undefined): Fields | undefined {
  const since = began === undefined ? Number.NaN : Date.parse(began);
  const tail = readTail(path, TAIL_BYTES);
  if (tail.kind !== "ok" || statSync(path).mtimeMs < since) return undefined;
  const record = parseLines(tail.text).findLast(
    ({ type, payload }) =>
      type === "event_msg" &&
      isObject(payload) &&
      ["task_started", "task_complete", "turn_aborted"].includes(text(payload["type"]) ?? ""),
  );
  const payload = record?.["payload"];
  const isOld = Date.parse(text(record?.["timestamp"]) ?? "") < since;
  return !isOld && isObject(payload) && payload["type"] !== "task_started" ? payload : undefined;
}

const parseLines = (lines: string): Fields[] => lines.split("\n").flatMap(parseLine);

function parseLine(line: string): Fields[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

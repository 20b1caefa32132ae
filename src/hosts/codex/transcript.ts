import { statSync } from "node:fs";
import { readTail } from "../../store/read.ts";
import { isObject } from "../../text/schema.ts";
import { text } from "../json.ts";

/** The client writes a line for each event; a line with a picture or a long output may be large. */
const TAIL_BYTES = 256 << 10;

const TURNS = new Set(["task_started", "task_complete", "turn_aborted"]);

type Fields = Readonly<Record<string, unknown>>;

/** The client sends it with every stop; this is for a stop that comes without it. */
export const readLastMessage = (path: string, began: string | undefined): string | null =>
  text(lastTurn(path, began)?.["last_agent_message"]) ?? null;

/** The service error that ended the session's last turn, if any: the client has no event for it. */
export function readServiceError(path: string, began: string | undefined): string | undefined {
  const error = lastTurn(path, began)?.["error"];
  return isObject(error) ? (text(error["message"]) ?? "unknown error") : undefined;
}

/** Whether the user pressed Escape and has typed nothing since. */
export const readInterrupted = (path: string): boolean =>
  lastTurn(path, undefined)?.["type"] === "turn_aborted";

/** `codex queue` puts a prompt there for any session; the client notes where each turn came from before it runs a hook. */
export function readQueued(path: string): boolean {
  const turn = readTurns(path, Number.NaN).findLast(({ type }) => type === "task_started");
  const from = turn?.["turn_attribution"];
  return isObject(from) && from["turn_trigger"] === "queue";
}

/** Sub-agents do no work of ours. */
export const readOrders = (): undefined => undefined;

/** How the last turn ended; undefined if one has begun since, or if it ended before the run. */
function lastTurn(path: string, began: string | undefined): Fields | undefined {
  const last = readTurns(path, began === undefined ? Number.NaN : Date.parse(began)).at(-1);
  return last?.["type"] === "task_started" ? undefined : last;
}

/** Where turns began and ended, as far as the end of the file has them, since then. */
function readTurns(path: string, since: number): Fields[] {
  const tail = readTail(path, TAIL_BYTES);
  if (tail.kind !== "ok" || statSync(path).mtimeMs < since) return [];
  return parseLines(tail.text).flatMap(({ type, timestamp, payload }) =>
    type === "event_msg" &&
    isObject(payload) &&
    TURNS.has(text(payload["type"]) ?? "") &&
    !(Date.parse(text(timestamp) ?? "") < since)
      ? [payload]
      : [],
  );
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

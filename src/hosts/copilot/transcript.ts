import { readTail } from "../../store/read.ts";
import { sleep } from "../../store/sleep.ts";
import { isObject } from "../../text/schema.ts";
import type { Host } from "../host.ts";
import { noTranscript } from "../no-transcript.ts";

type Json = Readonly<Record<string, unknown>>;

const TAIL_BYTES = 1 << 20;
/** The client writes its record about ten times a second; on a busy machine that may take longer. */
const WAIT_MS = 3000;
const PAUSE_MS = 20;

export const transcript: Host["transcript"] = { ...noTranscript, readLastMessage };

/**
 * The agent's last message before the stop at `at`. The client does not send it, and has often not written it yet when
 * it runs the hook; but it writes in order, and notes the stop itself after the message.
 */
function readLastMessage(path: string, _began: string | undefined, at?: string): string | null {
  const stop = at === undefined ? Number.NaN : Date.parse(at);
  for (let waited = 0; waited <= WAIT_MS; waited += PAUSE_MS) {
    const records = readRecords(path);
    const end = records.findLastIndex((record) => isStop(record, stop));
    if (end !== -1) return lastOf(records.slice(0, end));
    sleep(PAUSE_MS);
  }
  return null;
}

function readRecords(path: string): Json[] {
  const tail = readTail(path, TAIL_BYTES);
  if (tail.kind !== "ok") return [];
  return (
    tail.text
      .split("\n")
      .filter(
        (line) =>
          line.includes('"assistant.message"') ||
          line.includes('"user.message"') ||
          line.includes('"agentStop"'),
      )
      .map(parse)
      .filter((record) => record !== undefined)
      // Those of sub-agents are in the same file.
      .filter((record) => record["agentId"] === undefined)
  );
}

function isStop({ type, data }: Json, stop: number): boolean {
  if (type !== "hook.start" || !isObject(data) || data["hookType"] !== "agentStop") return false;
  const input = data["input"];
  return isObject(input) && input["timestamp"] === stop;
}

/** The client notes each call of the model; the last one says something, or nothing. */
function lastOf(records: readonly Json[]): string | null {
  const last = records.findLast(
    ({ type }) => type === "assistant.message" || type === "user.message",
  );
  if (last?.["type"] !== "assistant.message" || !isObject(last["data"])) return null;
  const { content } = last["data"];
  return typeof content === "string" && content !== "" ? content : null;
}

function parse(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import { type Fields, fieldsOf, textOf } from "../../agents/json.ts";
import { sleep } from "../../store/read.ts";
import type { Host } from "../host.ts";
import { noTranscript, parseRecords, readLastLines } from "../transcript.ts";

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

function readRecords(path: string): Fields[] {
  const lines = readLastLines(path, TAIL_BYTES).filter((line) =>
    /"(?:assistant\.message|user\.message|agentStop)"/.test(line),
  );
  // Those of sub-agents are in the same file.
  return parseRecords(lines).filter(({ agentId }) => agentId === undefined);
}

function isStop({ type, data }: Fields, stop: number): boolean {
  const { hookType, input } = fieldsOf(data);
  return type === "hook.start" && hookType === "agentStop" && fieldsOf(input)["timestamp"] === stop;
}

/** The client notes each call of the model; the last one says something, or nothing. */
function lastOf(records: readonly Fields[]): string | null {
  const last = records.findLast(
    ({ type }) => type === "assistant.message" || type === "user.message",
  );
  if (last?.["type"] !== "assistant.message") return null;
  return textOf(fieldsOf(last["data"])["content"]) || null;
}

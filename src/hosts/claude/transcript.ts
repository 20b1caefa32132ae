import { statSync } from "node:fs";
import { readBeginning, readTail } from "../../store/read.ts";

const TAIL_BYTES = 256 << 10;

/**
 * The agent's last message, for clients that do not send it. Only the end of the file is read, only assistant text
 * counts, and nothing from before the run: our own prompts are in this file too.
 */
export function readLastMessage(path: string, began: string | undefined): string | null {
  const since = began === undefined ? Number.NaN : Date.parse(began);
  const lines = readLines(path, since);
  const records = parseRecords(lines);
  return records.length === 0 && lines.length > 0 ? lines.join("\n") : lastOf(records, since);
}

/** The service error that ended the session's last turn, if any. */
export function readServiceError(path: string, began: string | undefined): string | undefined {
  const since = began === undefined ? Number.NaN : Date.parse(began);
  const last = parseRecords(readLines(path, since)).findLast(
    (record) => record.type === "assistant" && record.isSidechain !== true,
  );
  return last?.isApiErrorMessage === true ? textOf(last.message?.content) : undefined;
}

function readLines(path: string, since: number): string[] {
  const tail = readTail(path, TAIL_BYTES);
  return tail.kind === "ok" && !(statSync(path).mtimeMs < since)
    ? tail.text.split("\n").filter((line) => line.trim() !== "")
    : [];
}

/**
 * Whether the user pressed Escape and has typed nothing since. Between the two there may be results of tools and the
 * client's own notifications, and large records of its own.
 */
export function readInterrupted(path: string): boolean {
  const tail = readTail(path, 4 * TAIL_BYTES);
  if (tail.kind !== "ok") return false;
  const lines = tail.text.split("\n").filter((line) => line.includes('"type":"user"'));
  const said = parseRecords(lines)
    .filter(({ type, isSidechain, isMeta }) => type === "user" && !isSidechain && !isMeta)
    .map((record) => textOf(record.message?.content).trim());
  const last = said.findLast((text) => text !== "" && !text.startsWith("<task-notification>"));
  return /^\[Request interrupted by user(?: for tool use)?\]$/.test(last ?? "");
}

/** What a sub-agent was asked to do: the start of its own transcript. */
export function readOrders(path: string): string | undefined {
  const head = readBeginning(path, TAIL_BYTES);
  if (head.kind !== "ok") return undefined;
  const first = parseRecords(head.text.split("\n")).find((record) => record.type === "user");
  return first === undefined ? undefined : textOf(first.message?.content);
}

interface TranscriptRecord {
  readonly type?: unknown;
  readonly isSidechain?: unknown;
  readonly isMeta?: unknown;
  readonly isApiErrorMessage?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly content?: unknown };
}

const parseRecords = (lines: readonly string[]): TranscriptRecord[] =>
  lines.map(parseRecord).filter((record) => record !== undefined);

function parseRecord(line: string): TranscriptRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastOf(records: readonly TranscriptRecord[], since: number): string | null {
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i] as TranscriptRecord;
    if (record.isSidechain === true) continue;
    if (record.type === "user") return null;
    if (typeof record.timestamp === "string" && Date.parse(record.timestamp) < since) return null;
    const text = record.type === "assistant" ? textOf(record.message?.content) : "";
    if (text !== "") return text;
  }
  return null;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter((part: { type?: unknown } | null) => part?.type === "text")
    .map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : ""))
    .join("\n");
}

import { statSync } from "node:fs";
import { type Fields, fieldsOf, listOf, textOf } from "../../agents/json.ts";
import { readBeginning, readTail } from "../../store/read.ts";
import { parseRecords, timeOf } from "../transcript.ts";

const TAIL_BYTES = 256 << 10;

/**
 * The agent's last message, for clients that do not send it. Only the end of the file is read, only assistant text
 * counts, and nothing from before the run: our own prompts are in this file too.
 */
export function readLastMessage(path: string, began: string | undefined): string | null {
  const since = timeOf(began);
  const lines = readLines(path, since);
  const records = parseRecords(lines);
  return records.length === 0 && lines.length > 0 ? lines.join("\n") : lastOf(records, since);
}

/** The service error that ended the session's last turn, if any. */
export function readServiceError(path: string, began: string | undefined): string | undefined {
  const since = timeOf(began);
  const last = parseRecords(readLines(path, since)).findLast(
    ({ type, isSidechain }) => type === "assistant" && isSidechain !== true,
  );
  return last?.["isApiErrorMessage"] === true ? contentOf(last) : undefined;
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
    .map((record) => contentOf(record).trim());
  const last = said.findLast((text) => text !== "" && !text.startsWith("<task-notification>"));
  return /^\[Request interrupted by user(?: for tool use)?\]$/.test(last ?? "");
}

/** What a sub-agent was asked to do: the start of its own transcript. */
export function readOrders(path: string): string | undefined {
  const head = readBeginning(path, TAIL_BYTES);
  if (head.kind !== "ok") return undefined;
  const first = parseRecords(head.text.split("\n")).find(({ type }) => type === "user");
  return first === undefined ? undefined : contentOf(first);
}

function lastOf(records: readonly Fields[], since: number): string | null {
  for (const record of records.toReversed()) {
    const { type, isSidechain, timestamp } = record;
    if (isSidechain === true) continue;
    if (type === "user") return null;
    if (typeof timestamp === "string" && Date.parse(timestamp) < since) return null;
    const text = type === "assistant" ? contentOf(record) : "";
    if (text !== "") return text;
  }
  return null;
}

function contentOf({ message }: Fields): string {
  const { content } = fieldsOf(message);
  if (typeof content === "string") return content;
  return listOf(content)
    .filter(({ type }) => type === "text")
    .map(({ text }) => textOf(text) ?? "")
    .join("\n");
}

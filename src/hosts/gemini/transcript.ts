import { readTail } from "../../store/read.ts";
import { isObject } from "../../text/schema.ts";
import type { Host } from "../host.ts";
import { list, text } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

const TAIL_BYTES = 256 << 10;

/** The client writes each message before it asks a hook. Errors of the service are not in it. */
export const transcript: Host["transcript"] = {
  readLastMessage(path, began) {
    const since = began === undefined ? Number.NaN : Date.parse(began);
    const last = readRecords(path).findLast(({ type }) => type === "gemini" || type === "user");
    if (last?.["type"] !== "gemini" || Date.parse(text(last["timestamp"]) ?? "") < since)
      return null;
    return textOf(last["content"]) || null;
  },

  readServiceError: () => undefined,

  /** What a cancelled tool has left comes after the note, and looks like a message of the user's. */
  readInterrupted(path) {
    const last = readRecords(path).findLast(
      ({ type, content }) => type === "info" || (type === "user" && textOf(content) !== ""),
    );
    return last?.["type"] === "info" && last["content"] === "Request cancelled.";
  },

  readOrders: () => undefined,
};

function readRecords(path: string): Json[] {
  const tail = readTail(path, TAIL_BYTES);
  return tail.kind === "ok" ? parseRecords(tail.text) : [];
}

const parseRecords = (lines: string): Json[] =>
  lines.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });

const textOf = (content: unknown): string =>
  text(content) ??
  list(content)
    .map((part) => (isObject(part) ? (text(part["text"]) ?? "") : ""))
    .join("");

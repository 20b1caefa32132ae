import { type Fields, listOf, textOf } from "../../agents/json.ts";
import type { Host } from "../host.ts";
import { noTranscript, parseRecords, readLastLines, timeOf } from "../transcript.ts";

const TAIL_BYTES = 256 << 10;

/** The client writes each message before it asks a hook. Errors of the service are not in it. */
export const transcript: Host["transcript"] = {
  ...noTranscript,

  readLastMessage(path, began) {
    const last = readRecords(path).findLast(({ type }) => type === "gemini" || type === "user");
    if (last?.["type"] !== "gemini" || Date.parse(textOf(last["timestamp"]) ?? "") < timeOf(began))
      return null;
    return contentOf(last["content"]) || null;
  },

  /** What a cancelled tool has left comes after the note, and looks like a message of the user's. */
  readInterrupted(path) {
    const last = readRecords(path).findLast(
      ({ type, content }) => type === "info" || (type === "user" && contentOf(content) !== ""),
    );
    return last?.["type"] === "info" && last["content"] === "Request cancelled.";
  },
};

const readRecords = (path: string): Fields[] => parseRecords(readLastLines(path, TAIL_BYTES));

const contentOf = (content: unknown): string =>
  textOf(content) ??
  listOf(content)
    .map((part) => textOf(part["text"]) ?? "")
    .join("");

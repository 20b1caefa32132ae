import { type Fields, parseFields } from "../agents/json.ts";
import { readTail } from "../store/read.ts";
import type { Host } from "./host.ts";

/** For clients that say all we need in their events. */
export const noTranscript: Host["transcript"] = {
  readLastMessage: () => null,
  readServiceError: () => undefined,
  readInterrupted: () => false,
  readOrders: () => undefined,
};

/** The JSON objects among some lines. */
export const parseRecords = (lines: readonly string[]): Fields[] =>
  lines.map(parseFields).filter((record) => record !== undefined);

/** The lines at the end of a file, so that the cost does not grow with its size. */
export function readLastLines(path: string, bytes: number): string[] {
  const tail = readTail(path, bytes);
  return tail.kind === "ok" ? tail.text.split("\n") : [];
}

/** When a run began, to compare with; nothing is before a time that is not known. */
export const timeOf = (began: string | undefined): number =>
  began === undefined ? Number.NaN : Date.parse(began);

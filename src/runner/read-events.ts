import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { faultOf } from "../store/read.ts";
import { isObject } from "../text/schema.ts";
import { isRunEvent, type RunEvent } from "./events.ts";
import { eventsFile, isLive, readRun, type RunFolder } from "./run-files.ts";

const CHUNK = 1 << 20;
/** More than a log can grow to: see its bound in `run-files.ts`. */
const MAX_LOG = 256 << 20;
/** Longer lines are not ours, and are skipped. */
const MAX_LINE = 4 << 20;

export interface EventReader {
  /** What has been added since the last call, a chunk at most; empty if nothing was. */
  readonly next: () => readonly RunEvent[];
}

/** Reads a log as it grows, from the event with that number. An unfinished last line is read once it is complete. */
export function openEvents(run: Pick<RunFolder, "folder">, from = 1): EventReader {
  const path = eventsFile(run);
  let offset = 0;
  let seen = 0;
  let rest: Buffer = Buffer.alloc(0);
  return {
    next() {
      for (;;) {
        const bytes = readChunk(path, offset);
        if (bytes.length === 0) return [];
        offset += bytes.length;
        const known = Buffer.concat([rest, bytes]);
        const end = known.lastIndexOf(NEWLINE) + 1;
        rest = known.length - end > MAX_LINE ? Buffer.alloc(0) : known.subarray(end);
        const events = known
          .subarray(0, end)
          .toString("utf8")
          .split("\n")
          .flatMap((line) => {
            const event = parseEvent(line, { run: basename(run.folder), seq: seen + 1 });
            if (event !== undefined) seen += 1;
            return event === undefined || event.seq < from ? [] : [event];
          });
        if (events.length > 0) return events;
      }
    },
  };
}

const NEWLINE = 10;

function readChunk(path: string, offset: number): Buffer {
  if (offset >= MAX_LOG) return Buffer.alloc(0);
  try {
    const fd = openSync(path, "r");
    try {
      if (!fstatSync(fd).isFile()) return Buffer.alloc(0);
      const buffer = Buffer.allocUnsafe(CHUNK);
      return buffer.subarray(0, readSync(fd, buffer, 0, CHUNK, offset));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
}

/** Older versions wrote neither the run nor the number: it is the event's position. */
function parseEvent(line: string, head: Pick<RunEvent, "run" | "seq">): RunEvent | undefined {
  if (line === "" || line.length > MAX_LINE) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const event = isObject(value) ? { ...head, ...value } : value;
    return isRunEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** All events so far. */
export function readEvents(run: Pick<RunFolder, "folder">, from = 1): RunEvent[] {
  const reader = openEvents(run, from);
  const all: RunEvent[] = [];
  for (let some = reader.next(); some.length > 0; some = reader.next())
    for (const one of some) all.push(one);
  return all;
}

const POLL_MS = 200;

/** The events of a run as they happen, until it has ended or its process is gone. */
export async function* followEvents(
  run: RunFolder,
  signal?: AbortSignal,
  from = 1,
): AsyncGenerator<readonly RunEvent[]> {
  const reader = openEvents(run, from);
  for (;;) {
    if (signal?.aborted === true) return;
    // Checked first, so that what the run wrote before its end is still read below.
    const isOver = !isLive(readRun(dirname(run.folder), run.info.run) ?? run);
    let hasEnded = false;
    for (let some = reader.next(); some.length > 0; some = reader.next()) {
      hasEnded ||= some.some(({ kind }) => kind === "run-ended");
      yield some;
    }
    if (isOver || hasEnded) return;
    await delay(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

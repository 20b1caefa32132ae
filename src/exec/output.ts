import { Buffer } from "node:buffer";
import { keepEnd } from "../text/cut.ts";

const FEED = 10;

/**
 * Splits a stream into lines, as bytes: a character may come in two pieces, and invalid UTF-8 must not lose its line.
 * Lines are cut after `maxBytes`.
 */
export function cutLines(
  maxBytes: number,
  on: (line: string) => void,
): { push(chunk: Buffer): void; end(): void } {
  let pieces: Buffer[] = [];
  let size = 0;
  const keep = (piece: Buffer): void => {
    const room = piece.subarray(0, maxBytes - size);
    if (room.length > 0) pieces.push(room);
    size += room.length;
  };
  const tell = (): void => {
    const line = Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
    pieces = [];
    size = 0;
    if (line !== "") on(line);
  };
  return {
    push(chunk) {
      let rest = chunk;
      for (let at = rest.indexOf(FEED); at !== -1; at = rest.indexOf(FEED)) {
        keep(rest.subarray(0, at));
        tell();
        rest = rest.subarray(at + 1);
      }
      keep(rest);
    },
    end: tell,
  };
}

/** Keeps the end of what a process prints, from the beginning of a line or at least of a word. */
export function keepTail(max: number): {
  readonly push: (chunk: Buffer) => void;
  readonly text: () => string;
} {
  let tail = Buffer.alloc(0);
  return {
    push: (chunk) => {
      tail = Buffer.concat([tail, chunk]).subarray(-max - 1);
    },
    text: () => {
      if (tail.length <= max) return tail.toString("utf8");
      // The first character may have been cut in half.
      const text = tail.toString("utf8").replace(/^\uFFFD+/, "");
      return keepEnd(text, text.length - 1);
    },
  };
}

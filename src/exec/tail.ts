import { keepEnd } from "../text/cut.ts";

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

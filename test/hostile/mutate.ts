/** A number from 0 to below 1. */
export type Random = () => number;

/** Mulberry32: small, quick, and the same for the same seed. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PIECES = [
  "\n",
  "\r\n",
  "\0",
  "\t",
  " ",
  "- [ ] ",
  "- [x] ",
  "1.2",
  "T012",
  "[P]",
  "[FIX 1.1]",
  "[VERIFY]",
  "**Files**: ",
  "**Verify**: ",
  "depends on ",
  "```",
  "~~~",
  "<!--",
  "-->",
  "---\n",
  "# ",
  "> ",
  '"',
  "'",
  "`",
  "[",
  "]",
  "{",
  "}",
  ":",
  ",",
  "null",
  "1e999",
  "__proto__",
  "\u00ff",
  "é",
  "🎉",
  "\u2028",
  "\u202e",
  "ALL_TASKS_COMPLETE",
].map((piece) => Buffer.from(piece));

const MOST_BYTES = 1 << 16;

/** One change to some bytes: a bit, a byte, a piece lost, doubled, moved, or put in. */
export function mutate(bytes: Buffer, next: Random, other: Buffer = bytes): Buffer<ArrayBuffer> {
  const place = (of: number): number => Math.floor(next() * (of + 1));
  const at = place(bytes.length);
  const length = Math.min(bytes.length - at, place(next() < 0.5 ? 8 : 200));
  const head = bytes.subarray(0, at);
  const tail = bytes.subarray(at);
  const piece = PIECES[place(PIECES.length - 1)] as Buffer;
  const start = place(other.length);
  const choices: (() => readonly Buffer[])[] = [
    () => [head, piece, tail],
    () => [head, piece, bytes.subarray(at + length)],
    () => [head, bytes.subarray(at + length)],
    () => [head, bytes.subarray(at, at + length), tail],
    () => [head],
    () => [head, Buffer.from([place(255)]), bytes.subarray(at + 1)],
    () => [head, Buffer.from([(bytes[at] ?? 0) ^ (1 << place(7))]), bytes.subarray(at + 1)],
    () => [head, other.subarray(start, start + place(300)), tail],
  ];
  const parts = (choices[place(choices.length - 1)] as () => readonly Buffer[])();
  return Buffer.concat(parts).subarray(0, MOST_BYTES);
}

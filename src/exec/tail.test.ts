import { expect, it } from "vitest";
import { keepTail } from "./tail.ts";

const tailOf = (max: number, ...chunks: readonly string[]): string => {
  const tail = keepTail(max);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.text();
};

it.each([
  ["a process that prints little is quoted in full", 20, ["it fails ", "here"], "it fails here"],
  ["more begins with a whole line", 20, ["it fails with\nthe old", " source"], "…\nthe old source"],
  ["or with a whole word", 20, ["it fails with the old src"], "…with the old src"],
  ["and never with half a character", 7, ["xéé éé"], "…éé"],
  ["the last byte that fits counts", 4, ["1234"], "1234"],
])("%s", (_, max, chunks, text) => {
  expect(tailOf(max, ...chunks)).toBe(text);
});

import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cutLines, keepTail } from "./output.ts";

function cut(max: number, ...chunks: readonly (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const cutter = cutLines(max, (line) => lines.push(line));
  for (const chunk of chunks) cutter.push(Buffer.from(chunk as string));
  cutter.end();
  return lines;
}

it.each<[what: string, chunks: (string | Buffer)[], lines: string[]]>([
  ["in pieces", ["a", "b\nc", "\n"], ["ab", "c"]],
  ["several at once", ["a\nb\nc\n"], ["a", "b", "c"]],
  ["a last line without a line feed", ["a\nb"], ["a", "b"]],
  ["no empty lines", ["\n\na\n\n"], ["a"]],
  ["with Windows line endings", ["a\r\nb\r\n"], ["a", "b"]],
  ["a character in two pieces", [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ["é"]],
  ["with invalid UTF-8", [Buffer.from([0x61, 0xff, 0x62, 0x0a]), "c\n"], ["a\uFFFDb", "c"]],
  ["too long", ["12345", "678\nab\n"], ["123456", "ab"]],
])("lines: %s", (_, chunks, lines) => {
  expect(cut(6, ...chunks)).toEqual(lines);
});

it("does not depend on how the stream is split", () => {
  // Bytes of any kind, with many line feeds among them.
  const bytes = fc.array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constant(10)));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(20)), (all, sizes) => {
      const whole = Buffer.from(all);
      let at = 0;
      const chunks = sizes.map((size) => whole.subarray(at, (at += size)));
      expect(cut(1000, ...chunks, whole.subarray(at))).toEqual(cut(1000, whole));
    }),
  );
});

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

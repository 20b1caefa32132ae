import { expect, it } from "vitest";
import { clean } from "./clean.ts";

it.each<[what: string, from: number, to?: number]>([
  ["controls", 0x00, 0x08],
  ["controls", 0x0b, 0x1f],
  ["delete and the upper controls", 0x7f, 0x9f],
  ["the soft hyphen", 0xad],
  ["the joiner of graphemes", 0x34f],
  ["the Arabic mark", 0x61c],
  ["Hangul fillers", 0x115f, 0x1160],
  ["Mongolian selectors", 0x180b, 0x180f],
  ["zero-width characters and marks of direction", 0x200b, 0x200f],
  ["separators of lines and paragraphs", 0x2028, 0x2029],
  ["embeddings and overrides", 0x202a, 0x202e],
  ["invisible operators and isolates", 0x2060, 0x206f],
  ["the filler", 0x3164],
  ["variation selectors", 0xfe00, 0xfe0f],
  ["the byte order mark", 0xfeff],
  ["annotations", 0xfff9, 0xfffb],
  ["tags and the rest of that plane", 0xe0000, 0xe0fff],
])("takes out %s", (_, from, to = from) => {
  for (let code = from; code <= to; code++) {
    expect(clean(`a${String.fromCodePoint(code)}b`), code.toString(16)).toBe("ab");
  }
});

it("leaves all that can be seen, tabs and line feeds", () => {
  const text = "a\tb\nc é 日本語 🎉 العربية \u00a0 \ud800 x";
  expect(clean(text)).toBe(text);
});

it.each(["</system-reminder>", "<SYSTEM-REMINDER>", "<task-notification>", "</command-name>"])(
  "nobody else speaks for the client: %s",
  (tag) => expect(clean(`a ${tag} b`)).toBe(`a ‹${tag.slice(1)} b`),
);

it("leaves other tags alone", () => expect(clean("<b>x</b> a < b")).toBe("<b>x</b> a < b"));

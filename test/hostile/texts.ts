import * as fc from "fast-check";
import { mutate, random } from "./mutate.ts";

/** What controls a terminal, reverses text, or is invisible. */
const MARKS = [
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u009b2J",
  "\u0000",
  "\u0008",
  "\u007f",
  "\r",
  "\n",
  "\t",
  "\u2028",
  "\u202e",
  "\u2066",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u200d",
  "\ufe0f",
  "\u{e0041}",
  "\ufeff",
  "\ud800",
  "\u00a0",
];

/** What means something to a shell, to JSON, to JavaScript, to a template, to a path or to Windows. */
const WORDS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "$(touch canary)",
  "`touch canary`",
  "'; touch canary #",
  '"}',
  '","decision":"block","reason":"',
  "\\",
  "\\u0000",
  "{{program}}",
  "{{nothing}}",
  "{{",
  "$&",
  "$1",
  "%s",
  "..",
  "../..",
  "/",
  "CON",
  "nul.txt",
  "C:\\x",
  "\\\\server\\x",
  "-rf",
  "--json",
  "🎉",
  "é",
  "e\u0301",
  "ALL_TASKS_COMPLETE",
  "TASK_COMPLETE",
  "<!--",
  "-->",
  "```",
  "a".repeat(300),
];

export const word = fc.constantFrom(...WORDS, ...MARKS, "demo", "x y", "1.1", "");

/** Any of them, halves of pairs included. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));

/** Text of all kinds, mostly short. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.array(word, { maxLength: 5 }).map((words) => words.join("")) },
  { weight: 2, arbitrary: fc.array(unit, { maxLength: 20 }).map((units) => units.join("")) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.integer({ min: 1, max: 20_000 })).map(([one, times]) => {
      return one.repeat(Math.ceil(times / Math.max(1, one.length)));
    }),
  },
);

/** A text, or what became of it: bits flipped, pieces lost, doubled or moved. */
export const spoiled = (whole: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: whole },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.integer(), fc.integer({ min: 1, max: 4 }))
        .map(([one, seed, times]) => {
          const next = random(seed);
          let bytes = Buffer.from(one);
          for (let i = 0; i < times; i++) bytes = mutate(bytes, next);
          return bytes.toString("latin1");
        }),
    },
  );

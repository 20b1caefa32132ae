import { expect, it } from "vitest";
import { formatAnswers, formatAsked, MAX_ASKED, parseAnswers, parseAsked } from "./asked.ts";

it("questions and answers come back as they went", () => {
  const one = { text: "Which\none?", options: ["a", "b"] };
  const two = { text: "And that?", options: [], task: "1.3" };
  expect(parseAsked(formatAsked(one) + formatAsked(two))).toEqual([one, two]);
  const decided = [{ question: "Which\none?", answer: "a\nb" }];
  expect(parseAnswers(formatAnswers(decided))).toEqual(decided);
});

it.each(["", "\n", "{", "null", "[]", '{"text":""}', '{"text":5}', '{"options":["a"]}'])(
  "nothing is read from %j",
  (line) => {
    expect(parseAsked(line)).toEqual([]);
    expect(parseAnswers(line)).toEqual([]);
  },
);

it("is bounded, and has no escapes in it", () => {
  const line = formatAsked({ text: `\u001b[2J${"x".repeat(9999)}`, options: Array(99).fill("y") });
  expect(line.length).toBeLessThan(2200);
  expect(line).not.toContain("\\u001b");
  expect(parseAsked(line.repeat(100))).toHaveLength(MAX_ASKED);
});

import { expect, it } from "vitest";
import { planPhaseWords } from "./interpret-phase.ts";

it.each([
  ["", undefined, ""],
  ["demo", "demo", ""],
  ["demo split 1.3", "demo", "split 1.3"],
  ["split 1.3", undefined, "split 1.3"],
  ["I am building with Next.js", undefined, "I am building with Next.js"],
  ["smaller", undefined, "smaller"],
  // Meant as a name, and refused if there is none.
  ["rate-limit", "rate-limit", ""],
  ["./specs/other", "./specs/other", ""],
  ["../out", "../out", ""],
  ["/etc is where settings go", undefined, "/etc is where settings go"],
  ["re-use the parser", undefined, "re-use the parser"],
])("%j", (words, name, said) => {
  const isSpec = (word: string): boolean => word === "demo";
  expect(planPhaseWords(words.split(" ").filter(Boolean), isSpec)).toEqual({ name, said });
});

import { expect, it } from "vitest";
import { lastLine, usefulLines } from "./useful-lines.ts";

const NOISE = Array.from({ length: 40 }, (_, i) => `line ${i}`);

it("keeps a short output as it is, without what says nothing", () => {
  expect(usefulLines("one\n\n---\n# tests 4\n  two  \n")).toEqual(["one", "two"]);
});

it("keeps what names a cause, and the end, in their order", () => {
  const lines = [
    ...NOISE.slice(0, 10),
    "AssertionError: 3 is not 4",
    ...NOISE.slice(10),
    "1 failed",
  ];
  const useful = usefulLines(lines.join("\n"));
  expect(useful).toHaveLength(8);
  expect(useful[0]).toBe("AssertionError: 3 is not 4");
  expect(useful.at(-1)).toBe("1 failed");
});

it("finds the most telling line", () => {
  expect(lastLine("Error: no\nand then some\n# fail 1\n")).toBe("Error: no");
  expect(lastLine("not ok 1 - b is free\n  error: '9 == 0'\n  name: 'AssertionError'\n1..1")).toBe(
    "not ok 1 - b is free",
  );
  expect(lastLine("one\ntwo\n\n")).toBe("two");
  expect(lastLine("")).toBe("");
});

import { expect, it } from "vitest";
import { fitLists } from "./fit-lists.ts";

const items = (count: number): string =>
  Array.from({ length: count }, (_, i) => `- item ${i + 1} of some length`).join("\n");
const text = `9 of 9 tasks done.\n\nBuilt:\n${items(3)}\n\nCommits:\n${items(12)}\n- … and 2 more\n\nKeep: \`git merge x\`.\nUndo: \`smart-ralph undo 1.1\`.`;

it("leaves out the ends of the longest lists, and keeps every other line whole", () => {
  const fitted = fitLists(text, 300);
  expect(fitted.length).toBeLessThanOrEqual(300);
  expect(fitted).toContain("- item 3 of some length\n\nCommits:\n");
  expect(fitted).toContain("- item 5 of some length\n- … and 9 more\n\nKeep");
  expect(fitted.split("\n").slice(-2)).toEqual(text.split("\n").slice(-2));
});

it("changes nothing that fits", () => {
  const one = `One.\n\nBuilt:\n${items(3)}`;
  expect(fitLists(one, one.length)).toBe(one);
});

it("drops no line that is not an item, whatever the room", () => {
  expect(
    fitLists(text, 1)
      .split("\n")
      .filter((line) => !line.startsWith("-")),
  ).toEqual(text.split("\n").filter((line) => !line.startsWith("-")));
});

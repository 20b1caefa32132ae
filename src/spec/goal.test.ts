import { describe, expect, it } from "vitest";
import { firstParagraph, parseGoal } from "./goal.ts";

describe("parseGoal", () => {
  it.each<[text: string, goal: string | undefined]>([
    [
      "# Progress\n\n## Original Goal\n\nUsers log in\nwith a key.\n\nMore.\n",
      "Users log in with a key.",
    ],
    ["## Original Goal\r\nLog in\r\n\r\n## Next\r\n", "Log in"],
    ["## Goal\n\n> Log in\n", "Log in"],
    ["## Original Goal\n\n## Next\n\nNot this\n", undefined],
    ["## Original Goal\n\n<!-- what for\nNot this -->\nLog in\n", "Log in"],
    ["## Original Goal\n---\nLog in\n", "Log in"],
    ["## Goals of others\n\nNot this\n", undefined],
    ["", undefined],
  ])("%j: %j", (text, goal) => {
    expect(firstParagraph(parseGoal(text))).toBe(goal);
  });

  it("keeps every word, up to the next heading", () => {
    expect(parseGoal("# Goal\n\nLog in\n\n- a\n## Next\nNot this\n")).toBe("Log in\n\n- a");
  });
});

describe("firstParagraph", () => {
  it.each<[text: string, paragraph: string | undefined]>([
    ["# Research\n\nWhat we found.\n\nMore.\n", "What we found."],
    ["\uFEFF---\nname: x\n---\n\n# R\nFound.\n", "Found."],
    ["# R\n\n| a | b |\n|---|---|\n\n```\ncode\n```\n\nFound.\n", "Found."],
    ["# R\n\n- one\n- two\n", "one two"],
    ["# Tasks\n\n- [ ] 1.1 First\n  - **Do**: it\n", undefined],
    ["# Tasks\n\nOverview.\n- [x] 1.1 First\n", "Overview."],
    ["---\nnever closed\n", "never closed"],
    ["# Only a heading\n", undefined],
  ])("%j: %j", (text, paragraph) => {
    expect(firstParagraph(text)).toBe(paragraph);
  });

  it("is cut", () => {
    expect(firstParagraph("word ".repeat(200))).toHaveLength(400);
  });
});

it("begins with a section that says it best, if there is one", () => {
  const text = "# P\n\n## Why\n\nIt is broken.\n\n## What Changes\n\n- Add a limit\n- Say so\n";
  expect(firstParagraph(text, "What Changes")).toBe("Add a limit Say so");
  expect(firstParagraph(text, "Goal")).toBe("It is broken.");
});

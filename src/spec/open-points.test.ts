import { expect, it } from "vitest";
import { formatPoint, parseOpenPoints, readNotedPoints } from "./open-points.ts";

it.each([
  ["nothing", "Approach: middleware\nRisks: none", []],
  [
    "a line",
    "OPEN: per key or per address? Chose per key.",
    ["OPEN: per key or per address? Chose per key."],
  ],
  ["a list", "- OPEN: a\n- CONFLICT: b\n* RISK: c", ["OPEN: a", "CONFLICT: b", "RISK: c"]],
  [
    "in bold or code",
    "**OPEN:** a\n`RISK:` b\n**CONFLICT**: c\n- `OPEN: d`",
    ["OPEN: a", "RISK: b", "CONFLICT: c", "OPEN: d"],
  ],
  ["none", "OPEN: none\nCONFLICT: None.\nRISK: n/a", []],
  ["in a sentence", "This is OPEN: or so\nopen: a", []],
  ["in code", "```\nOPEN: a\n```", []],
  ["a heading", "# OPEN: a", []],
])("%s", (_, report, expected) => {
  expect(parseOpenPoints(report).map(formatPoint)).toEqual(expected);
});

it("is cut to what one reads", () => {
  const report = Array.from({ length: 50 }, (_, i) => `OPEN: ${i} ${"x".repeat(900)}`).join("\n");
  const points = parseOpenPoints(report);
  expect(points).toHaveLength(10);
  expect(points.every(({ text }) => text.length <= 300)).toBe(true);
});

it("is read back from the notes, where anyone may write", () => {
  const items = [
    { phase: "design", text: "RISK: slow" },
    { phase: "design", text: "do as I say" },
  ];
  expect(readNotedPoints(items)).toEqual([{ phase: "design", kind: "risk", text: "slow" }]);
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { markdownBoxes } from "../../test/corpus/markdown.ts";
import { findQuotedLines } from "../text/heredocs.ts";
import { parseTasks } from "./parse.ts";

type Row = [id: string, checked: boolean, line: number, tags: string[]];

const folder = new URL("../../test/corpus/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const files = readdirSync(folder).filter((name) => name.endsWith(".md"));

describe.each(files)("%s", (name) => {
  const text = read(name);
  const expected = JSON.parse(read(name.replace(/md$/, "json"))) as Row[];

  it("has the tasks that its .json names", () => {
    const { tasks } = parseTasks(text);
    expect(tasks.map(({ id, checked, line, tags }) => [id, checked, line, tags])).toEqual(expected);
  });

  it("has the boxes that Markdown sees", () => {
    // Front matter is not Markdown: only its lines count.
    const boxes = markdownBoxes(
      text.replace(/^---\n+\w+:[^]*?\n---\n/, (matter) => matter.replace(/[^\n]+/g, "")),
    );
    const byLine = new Map(expected.map(([, checked, line]) => [line, checked]));
    const lines = text.split("\n");
    for (const [line, checked] of byLine) {
      // Markdown knows no box for what somebody is at, nor one that is written wrong; we do.
      if (!/(?:[-*+]|\d[.)])\s+\[[ xX]\]\s/.test(lines[line - 1] ?? "")) continue;
      expect(boxes).toContainEqual(expect.objectContaining({ line, checked }));
    }
    // It reads what a command quotes as part of the list.
    const { inside } = findQuotedLines(lines);
    for (const box of boxes)
      expect(box.nested || inside.has(box.line - 1) || byLine.has(box.line)).toBe(true);
  });
});

it("is there, with its odd bytes", () => {
  expect(files.length).toBeGreaterThan(10);
  expect(read("windows.md")).toMatch(/^\uFEFF.*\r\n/);
  expect(read("bullets.md")).not.toMatch(/\n$/);
});

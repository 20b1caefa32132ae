import * as fc from "fast-check";
import { expect, it } from "vitest";
import { DOCUMENT_ID, documents } from "../../test/corpus/documents.ts";
import { markdownBoxes } from "../../test/corpus/markdown.ts";
import { runsOf } from "../../test/support/full.ts";
import { parseTasks } from "./parse.ts";

/** Texts on which we and the oracle part, with the reason. */
const NOT_JUDGED = [
  // The oracle takes indented code, and what follows a first bullet, for a paragraph, which an empty
  // item or a "2." may not end. CommonMark says so of paragraphs only.
  /^(?: {4}| {0,3}\t|.* {5}).*\r?\n\s*(?:2\)|10\.|(?:[-*+]|1\.)\s*$)/m,
  /^[ \t]*(?:\S{1,3}[ \t]+)+(?:2\)|10\.|(?:[-*+]|1\.)\s*$)/m,
  // The oracle lets a lone tag end a paragraph from outside its list item. CommonMark does not.
  /\S.*\r?\n\s*<(?:[ab]\b|\/(?:pre|script))/,
  // Dashes under a title make it a heading, so that its item has no box. We keep the task: who writes
  // dashes below a task wants a line.
  /\S.*\r?\n[ \t]+(?:-+|=+)[ \t]*$/m,
  // The oracle fails on a box below an empty item. To us a box is on the line of its bullet.
  /(?:^|\s)(?:[-*+]|\d+[.)])[ \t]*\r?\n\s*\[/,
  // What a command quotes is the list's own to Markdown, and a box that is written wrong is none.
  /<<|\[\]1|\[ x \]|\[✓\]/,
  // Front matter: no part of Markdown.
  /^\s*---/,
];

const judged = documents.filter(
  (text) => !NOT_JUDGED.some((pattern) => pattern.test(text.replace("\uFEFF", ""))),
);
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? runsOf(1500)) };

const hasId = (text: string, line: number): boolean =>
  DOCUMENT_ID.test(text.split("\n")[line - 1] as string);

it("takes for a task what Markdown takes for a box, and of nested ones those with an id", () => {
  fc.assert(
    fc.property(judged, (text) => {
      const expected = markdownBoxes(text).filter(
        ({ nested, line }) => !nested || hasId(text, line),
      );
      const found = parseTasks(text).tasks;
      expect(found.map(({ line, checked }) => [line, checked])).toEqual(
        expected.map(({ line, checked }) => [line, checked]),
      );
      expect(found.map(({ id }) => !id.startsWith("#"))).toEqual(
        expected.map(({ line }) => hasId(text, line)),
      );
    }),
    runs,
  );
});

it("gives a task all that Markdown puts into its item, up to its first sub-task", () => {
  fc.assert(
    fc.property(judged, (text) => {
      const { tasks, lines } = parseTasks(text);
      for (const box of markdownBoxes(text)) {
        const task = tasks.find(({ line }) => line === box.line);
        if (task === undefined) continue;
        const next = tasks[task.index + 1]?.line ?? Infinity;
        let end = Math.min(box.endLine, next - 1);
        while (lines[end - 1]?.trim() === "") end--;
        expect(task.endLine).toBeGreaterThanOrEqual(end);
      }
    }),
    runs,
  );
});

it("gives every task its own lines, ending with text", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const { tasks, lines } = parseTasks(text);
      expect(lines.join("")).toBe(text);
      for (const { index, line, endLine } of tasks) {
        expect(endLine).toBeGreaterThanOrEqual(line);
        expect(endLine).toBeLessThan(tasks[index + 1]?.line ?? Infinity);
        expect(lines[endLine - 1]).toMatch(/[^ \t\r\n]/);
      }
    }),
    runs,
  );
});

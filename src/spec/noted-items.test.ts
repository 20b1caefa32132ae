import { expect, it } from "vitest";
import { addItems, readItems } from "./noted-items.ts";

const item = (text: string, phase = "tasks") => ({ phase, text });

it("begins the section, and adds to it", () => {
  const once = addItems("# Progress\n\n## Learnings\n\nx\n", "Open", [item("a")]);
  expect(once).toBe("# Progress\n\n## Learnings\n\nx\n\n## Open\n\n- tasks: a\n");
  expect(addItems(once, "Open", [item("b", "plan")])).toBe(`${once}- plan: b\n`);
});

it("leaves what is after it, and what people wrote in it", () => {
  const text = "## Open\n\nMine.\n- not ours\n\n## Next\n\ny\n";
  const more = addItems(text, "Open", [item("a")]);
  expect(more).toBe("## Open\n\nMine.\n- not ours\n- tasks: a\n\n## Next\n\ny\n");
  expect(readItems(more, "Open")).toEqual([item("a")]);
});

it("adds nothing twice, and keeps the newest", () => {
  const many = Array.from({ length: 30 }, (_, i) => item(`point ${i}`));
  const text = addItems("", "Open", many.slice(0, 15));
  expect(addItems(text, "Open", [item("point 3")])).toBe(text);
  const full = addItems(text, "Open", many);
  expect(readItems(full, "Open")).toEqual(many.slice(10));
});

it("takes text as data: one line, cut, no heading, no control characters", () => {
  const text = addItems("", "Open", [item(`a\n## Original Goal\n\u001b[31m${"x".repeat(5000)}`)]);
  expect(text.match(/^#.*$/gm)).toEqual(["## Open"]);
  expect(text).not.toContain("\u001b");
  expect(text.length).toBeLessThan(1100);
});

it("keeps the line ends", () => {
  expect(addItems("## Open\r\n\r\n- tasks: a\r\n", "Open", [item("b")])).toBe(
    "## Open\r\n\r\n- tasks: a\r\n- tasks: b\r\n",
  );
});

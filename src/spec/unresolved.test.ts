import { expect, it } from "vitest";
import { checkDocument } from "./check-document.ts";
import { readClarifications } from "./unresolved.ts";

const ask = (count: number): string =>
  `# Spec\n\n${Array.from({ length: count }, (_, i) => `- **FR-00${i}**: do [NEEDS CLARIFICATION: how ${i}?]`).join("\n")}\n`;

const found = (text: string, questions?: number): string[] =>
  checkDocument(text, "# Spec\n", questions).map(({ code, line }) => `${code}:${line}`);

it("are read with their lines, and not from code or comments", () => {
  const text = `${ask(2)}\n\`[NEEDS CLARIFICATION: code]\`\n<!-- [NEEDS CLARIFICATION: hidden] -->\n[needs clarification] two [NEEDS CLARIFICATION: in a line]\n`;
  expect(readClarifications(text)).toEqual([
    { text: "how 0?", line: 3 },
    { text: "how 1?", line: 4 },
    { text: "what it leaves open", line: 8 },
    { text: "in a line", line: 8 },
  ]);
});

it("may stay, up to a number", () => {
  expect(found(ask(3), 3)).toEqual([]);
  expect(found(ask(5), 3)).toEqual(["needs-clarification:6", "needs-clarification:7"]);
  const [over] = checkDocument(ask(4), "# Spec\n", 3);
  expect(over?.message).toContain("one too many: at most 3 questions may stay");
  expect(found(ask(1))).toEqual(["needs-clarification:3"]);
  expect(found(`# Spec\n\n${"[NEEDS CLARIFICATION: a] ".repeat(4)}\n`, 3)).toEqual([
    "needs-clarification:3",
  ]);
});

it("in a plan's fields have no brackets, and never stay", () => {
  expect(found("# Plan\n\n**Storage**: NEEDS CLARIFICATION\n", 3)).toEqual(["unresolved:3"]);
  expect(
    found("# Plan\n\nNothing needs clarification: all is NEEDS CLARIFICATION free.\n"),
  ).toEqual([]);
});

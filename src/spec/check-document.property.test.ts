import { array, assert, constantFrom, property, record, string } from "fast-check";
import { expect, it } from "vitest";
import { checkDocument } from "./check-document.ts";

const word = constantFrom(
  "export",
  "an invoice",
  "Array<string>",
  "[text](url)",
  "`TODO`",
  "it's 5 < 6",
);
const hole = constantFrom(
  "<what it is for>",
  "<title>",
  "[FEATURE NAME]",
  "[Describe the journey]",
  "[action]",
  "{{name}}",
);
const section = record({
  title: constantFrom(
    "Goal",
    "Scope",
    "2. Risks",
    "Key Entities *(mandatory)*",
    "Notes (optional)",
  ),
  hole,
  body: array(
    record({ word, hole, prefix: constantFrom("", "- ", "> ", "- [ ] 1.1 [P] ", "| ") }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  sub: constantFrom("", "### Part <n>\n\n", "<!-- <guidance> TODO -->\n\n"),
});

/** A template, and a document made of it by filling every hole. */
const filled = record({
  sections: array(section, { minLength: 1, maxLength: 5 }),
  eol: constantFrom("\n", "\r\n"),
}).map(({ sections, eol }) => {
  const write = (fill: (hole: string) => string): string =>
    `# ${fill("<name of it>")}\n\n${sections
      .map(({ title, hole: first, body, sub }) => {
        const lines = body.map((one) => `${one.prefix}${one.word} ${fill(one.hole)}`).join("\n\n");
        return `## ${title}\n\n${sub.replace("<n>", fill("<n>"))}${fill(first)}\n\n${lines}\n`;
      })
      .join("\n")}`.replaceAll("\n", eol);
  return { template: write((own) => own), document: write(() => "words") };
});

it("finds nothing in a template whose placeholders are all filled, and each that is not", () => {
  assert(
    property(filled, ({ template, document }) => {
      expect(checkDocument(document, template)).toEqual([]);
      const codes = new Set(checkDocument(template, template).map(({ code }) => code));
      expect([...codes].filter((code) => code !== "unresolved")).toEqual(["placeholder"]);
    }),
  );
});

const piece = constantFrom(
  ..."# ## - [ ] <a b> [A B] [ ] ( ) ` `` ``` ~~~ <!-- --> < > | --- === TODO {{ }} ??? \n \r\n \t".split(
    " ",
  ),
  "\n",
  " ",
  "\uFEFF",
);
it("takes any text for either, and every finding has a line of it", () => {
  const text = array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  for (const any of [text, string({ unit: "binary" })]) {
    assert(
      property(any, any, (document, template) => {
        const last = Math.max(1, document.split("\n").length);
        for (const { line, fix } of checkDocument(document, template)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(last);
          expect(fix).not.toBe("");
        }
      }),
    );
  }
});

import { describe, expect, it } from "vitest";
import { checkDocument, commonSections } from "./check-document.ts";

const TEMPLATE = `# Requirements: <name of the feature>

## Goal

<One or two sentences: what it is for>

## User Stories

### US-1: <title>

## Out of Scope (optional)

- <what is left out>
`;
const GOOD = `# Requirements: export

## Goal

Invoices leave the house.

## User Stories

### US-1: One invoice

As a clerk I export one.
`;

/** Code and line of each finding. */
const found = (text: string, template = TEMPLATE): string[] =>
  checkDocument(text, template).map(({ code, line }) => `${code}:${line}`);

it("finds nothing in a document that keeps to its template", () => {
  expect(checkDocument(GOOD, TEMPLATE)).toEqual([]);
  expect(checkDocument(GOOD.replaceAll("\n", "\r\n"), TEMPLATE)).toEqual([]);
  expect(checkDocument(`\uFEFF---\nspec: x\n---\n${GOOD}`, TEMPLATE)).toEqual([]);
});

it("asks for no section that the template somebody wrote by does not have", () => {
  const other =
    "# [FEATURE]\n\n## 1. goal *(mandatory)*\n\n## User Story 2 - [Title] (Priority: P2)\n";
  const wanted = commonSections(
    "# <x>\n\n## Goal\n\n## Risks\n\n### User Story 2 - <title> (Priority: P2)\n\n<what it is>\n",
    other,
  );
  expect(wanted.match(/^#.*/gm)).toEqual(["## Goal", "### User Story 2 - <title> (Priority: P2)"]);
  expect(found("# x\n\n## Goal\n\nTo export.\n", wanted)).toEqual([]);
  expect(found("# x\n\nTo export, <what it is>.\n", wanted)).toEqual([
    "section-missing:3",
    "placeholder:3",
  ]);
});

it("says what is wrong, where, and what to do", () => {
  expect(checkDocument("# R\n\n## Goal\n\n## User Stories\n\ntext TBD\n", TEMPLATE)).toEqual([
    {
      severity: "error",
      code: "section-empty",
      message: 'The section "Goal" is empty.',
      fix: "Fill it in; if there is nothing to say, say so and why in one line.",
      line: 3,
    },
    {
      severity: "error",
      code: "unresolved",
      message: "TBD is still open.",
      fix: "Make the decision and write it down, or ask the user.",
      line: 7,
    },
  ]);
});

it.each(["", "\n\n", "<!-- nothing -->\n", "---\nspec: x\n---\n\n---\n"])(
  "is empty: %j",
  (text) => {
    expect(found(text)).toEqual(["document-empty:1"]);
  },
);

describe("sections", () => {
  it.each([
    "## 1. Goal",
    "## **GOAL**",
    "### goal",
    "# 2.1 Goal",
    "## Goal:",
    "## Goal: leave the house",
    "## Goal (mandatory)",
    "## Goal _(short)_",
    "Goal\n----",
  ])("takes %j for the required one", (heading) => {
    expect(found(GOOD.replace("## Goal", heading))).toEqual([]);
  });

  it.each(["## Goals and dreams", "**Goal**", "## Aims", "> ## Goal"])("but not %j", (heading) => {
    expect(found(GOOD.replace("## Goal", heading))).toEqual(["section-missing:7"]);
  });

  it("reports a missing section where it should be, or at the end", () => {
    expect(found("## User Stories\n\nx\n")).toEqual(["section-missing:1"]);
    expect(found("## Goal\n\nx\n")).toEqual(["section-missing:3"]);
  });

  it("reports one that a code block has swallowed", () => {
    const [finding] = checkDocument(GOOD.replace("Invoices", "```\nInvoices"), TEMPLATE);
    expect(finding).toMatchObject({ code: "section-missing", line: 8 });
    expect(finding?.message).toBe('The section "User Stories" is inside a code block.');
  });

  it("may be optional, but then not empty", () => {
    expect(found(`${GOOD}\n## Out of Scope\n\n<!-- later -->\n`)).toEqual(["section-empty:13"]);
    expect(found(`${GOOD}\n## Of its own\n`)).toEqual(["section-empty:13"]);
  });

  it.each(["```mermaid\ngraph\n```", "| a |\n|---|", "### Sub\n\ntext", "- [ ] a", "> a", "<p>"])(
    "is filled by %j",
    (body) => {
      expect(found(GOOD.replace("Invoices leave the house.", body))).toEqual([]);
    },
  );

  it.each(["<!-- text -->", "---", "### Sub\n\n### Other", "-", "<!--\ntext\n-->"])(
    "is not filled by %j",
    (body) => {
      expect(found(GOOD.replace("Invoices leave the house.", body))).toContain("section-empty:3");
    },
  );

  it("is required only if marked, if a template has such marks", () => {
    const template = `## User Scenarios & Testing *(mandatory)*\n\n## Key Entities _(include if data)_\n\n## Review\n\n### Edge Cases _(mandatory)_\n`;
    expect(found("## User scenarios and testing\n\nx\n\n## Edge cases\n\ny\n", template)).toEqual(
      [],
    );
    expect(found("## Review\n\nx\n", template)).toEqual(["section-missing:1", "section-missing:3"]);
  });

  it("may leave a part of the heading to the writer", () => {
    const template = "## Phase 1: <what works then>\n\n## <a title>\n\n## Part <n> of [TOTAL]\n";
    expect(found("## Phase 1: export\n\nx\n\n## Part 2 of 3\n\ny\n", template)).toEqual([]);
    expect(found("## Phase 2: export\n\nx\n\n## Part two\n\ny\n", template)).toEqual([
      "section-missing:7",
      "section-missing:7",
    ]);
  });
});

describe("placeholders", () => {
  it.each([
    ["<One or two sentences>", "placeholder:3"],
    ["about <title>", "placeholder:3"],
    ["[FEATURE NAME]", "placeholder:3"],
    ["on [DATE], by [action]", "placeholder:3,placeholder:3"],
    ["[Describe this user journey in plain language]", "placeholder:3"],
    ["**Given** [initial state]", "placeholder:3"],
    ["<words that\nrun on>", "placeholder:3"],
    ['e.g. "by [specific action]"', "placeholder:3"],
    // What is not a placeholder may stay as in the template.
    ["Array<string> and Map<K, V>", ""],
    ["a `<name>` and `[NAME]`", ""],
    ["```\n<name of it>\n```", ""],
    ["x\n\n<!-- <name of it> [DATE] -->", ""],
    ['<div class="x"> <br> <br/> <details>a</details>', ""],
    ["[text here](url) and ![ALT](url) and [some text][ref]", ""],
    ["[some text] is a link\n\n[some text]: https://example.com", ""],
    ["- [ ] 1.1 [P] [US1] [VERIFY] [FIX 1.2] x\n- [x] y", ""],
    ["- **[P]**: parallel\n- **[Story]**: the story [^1]", ""],
    ["<https://example.com/a> <me@example.com>", ""],
    ["a < b and c > d, <5 ms", ""],
  ])("%j", (text, findings) => {
    const document = `## A\n\n${text}\n`;
    expect(found(document, document).join()).toBe(findings);
  });

  it("are those of the template: another text in brackets is the writer's", () => {
    expect(found(GOOD.replace("Invoices", "<some of them> [or others]"))).toEqual([]);
  });

  it("are named once, with how often they occur", () => {
    const [finding, ...others] = checkDocument("# <a name>\n\n<a name>, <a  name>\n", "<a name>");
    expect(finding?.message).toBe("The placeholder <a name> is still there, 3 times.");
    expect(others).toEqual([]);
  });
});

describe("marks of what is still open", () => {
  it.each([
    "TODO: more",
    "It is (TODO).",
    "| FR-1 | TBD |",
    "- FIXME",
    "### TODO",
    "???",
    "Retention: ??? days",
    "[NEEDS CLARIFICATION: how long?]",
    "[needs clarification]",
    "{{FEATURE_NAME}}",
    "{{1-2 sentences}}",
  ])("%j is one", (text) => {
    expect(found(`## A\n\nx\n${text}\n`, "").map((one) => one.replace(/^.*:/, ""))).toContain("4");
  });

  it.each([
    "`TODO` and ``TBD``",
    "```\nTODO\n```",
    "<!-- TODO -->",
    "The TODO app has TODO lists.",
    "no TODOs, todo, tbd, Tbd",
    "see TODO.md, docs/TODO and https://example.com/TODO",
    "[a link](TODO) and no TODO/FIXME",
    "What? Really?? a???b",
    "`{{name}}` and ${{ secrets.KEY }}",
    "MY_TODO TODO_LIST TODO-list",
  ])("%j is none", (text) => {
    expect(found(`## A\n\nx\n${text}\n`, "")).toEqual([]);
  });
});

import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeId, findIds, resolveIds } from "./requirement-ids.ts";
import { parseRequirements } from "./requirements.ts";

describe("ids", () => {
  it.each([
    ["FR-001", "FR-1"],
    ["fr-1", "FR-1"],
    ["FR_10", "FR-10"],
    ["US1", "US-1"],
    ["User Story 1", "US-1"],
    ["user stories 01", "US-1"],
    ["AC-01.02", "AC-1.2"],
    ["NFR-3", "NFR-3"],
    ["FR-a1", "FR-A1"],
    ["FR-CLERK-02", "FR-CLERK-2"],
    ["SC-100", "SC-100"],
  ])("%s is %s", (written, id) => {
    expect(normalizeId(written)).toBe(id);
  });

  const known = new Set(
    "US-1 US-2 FR-1 FR-2 FR-3 FR-4 FR-10 AC-1.1 AC-1.2 AC-1.3 AC-2.1 NFR-1 FR-A1".split(" "),
  );
  it.each([
    ["FR-1, AC-1.2", "FR-1 AC-1.2"],
    ["FR-1..FR-4", "FR-1 FR-4 FR-2 FR-3"],
    ["FR-001…FR-003", "FR-1 FR-3 FR-2"],
    ["FR-1–FR-3", "FR-1 FR-3 FR-2"],
    ["FR-1 - FR-3", "FR-1 FR-3 FR-2"],
    ["FR-1-FR-3", "FR-1 FR-3 FR-2"],
    ["FR-1–3", "FR-1 FR-3 FR-2"],
    ["AC-1.1 to AC-1.3", "AC-1.1 AC-1.3 AC-1.2"],
    ["AC-1.1 through AC-2.1", "AC-1.1 AC-2.1 AC-1.2 AC-1.3"],
    ["AC-1.1-1.3", "AC-1.1 AC-1.3 AC-1.2"],
    ["AC-1.1-3", "AC-1.1 AC-1.3 AC-1.2"],
    ["AC-1.*", "AC-1.1 AC-1.2 AC-1.3"],
    ["AC-1.x, AC-2", "AC-1.1 AC-1.2 AC-1.3 AC-2.1"],
    ["FR-1 - AC-2.1", "FR-1 AC-2.1"],
    ["(FR-1/FR-2); _NFR-1_ **FR-a1**.", "FR-1 FR-2 NFR-1 FR-A1"],
    ["`FR-1` and User Story 2", "FR-1 US-2"],
    ["FR-1 - 3 retries", "FR-1"],
    ["FR-1.", "FR-1"],
    ["UTF-8, SHA-256, T-1, XFR-1, FR-1.2.3.4x, FR-1st", ""],
  ])("%j means %j", (text, ids) => {
    expect(
      findIds(text)
        .flatMap((one) => resolveIds(one, known).ids)
        .join(" "),
    ).toBe(ids);
  });

  it.each([
    ["FR-9", "FR-9"],
    ["FR-3..FR-6", "FR-6"],
    ["AC-3.*", "AC-3.*"],
    ["FR-001 and FR-099", "FR-099"],
    ["FR-4–FR-1", ""],
  ])("of %j nobody knows %j", (text, unknown) => {
    expect(
      findIds(text)
        .flatMap((one) => resolveIds(one, known).unknown)
        .join(" "),
    ).toBe(unknown);
  });

  it("distinguishes what can only be an id from what may be something else", () => {
    const plain = (text: string): boolean[] => findIds(text).map(({ isPlain }) => isPlain);
    expect(plain("FR-1 [US1] AC-1.1")).toEqual([true, true, true]);
    expect(plain("AC3 us-east-1 US2")).toEqual([false, false, false]);
  });
});

const defined = (text: string): string[] =>
  parseRequirements(text).map(({ id, title, line }) => `${line} ${id} ${title}`.trim());

it("reads a requirements.md", () => {
  const text = `---
spec: export
---
# Requirements: FR-9 is only named here

## User Stories

### US-1: Export one invoice

As a clerk I want FR-3, see AC-9.9.

**Acceptance Criteria:**
- AC-1.1: Given an invoice, when …
- [ ] AC-1.2: It quotes \`a,b\`
- **AC-1.3** — bold, with a dash
- AC-1.1: a second time

### US-02 - Export all

* **AC-2.1 (Must)**: marked

## Functional Requirements

| ID | Requirement | Priority | Acceptance Criteria |
|----|-------------|----------|---------------------|
| FR-1 | Writes CSV | Must | AC-1.1, AC-1.2 |
| **FR-2** | Writes \`a \\| b\` | Must | US-2 |

### NFR-1: Fast
- FR-3
- FR-1 blocks FR-4
- FR-5, FR-6: later

\`\`\`
- FR-7: code
\`\`\`
<!-- - FR-8: hidden -->

## Out of Scope

- FR-20: PDF
### Also
- FR-21: Fax

## Dependencies

- FR-22: back in
`;
  expect(defined(text)).toEqual([
    "8 US-1 Export one invoice",
    "13 AC-1.1 Given an invoice, when …",
    "14 AC-1.2 It quotes `a,b`",
    "15 AC-1.3 bold, with a dash",
    "18 US-2 Export all",
    "20 AC-2.1 marked",
    "26 FR-1 Writes CSV",
    "27 FR-2 Writes `a | b`",
    "29 NFR-1 Fast",
    "41 FR-20 PDF",
    "43 FR-21 Fax",
    "47 FR-22 back in",
  ]);
  const byId = new Map(parseRequirements(text).map((one) => [one.id, one]));
  expect(byId.get("FR-1")?.mentions).toEqual(["AC-1.1", "AC-1.2"]);
  expect(byId.get("FR-2")?.mentions).toEqual(["US-2"]);
  expect(byId.get("AC-2.1")?.story).toBe("US-2");
  expect([...byId.values()].filter((one) => one.isOutOfScope).map(({ id }) => id)).toEqual([
    "FR-20",
    "FR-21",
  ]);
  expect(defined(text.replaceAll("\n", "\r\n"))).toEqual(defined(text));
});

it("reads a spec.md of Spec Kit", () => {
  expect(
    defined(`# Feature Specification: Albums

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Make an album (Priority: P1) 🎯

1. **Given** FR-001, **When** …

### User Story 2 - Share it (Priority: P2)

## Requirements *(mandatory)*

- **FR-001**: System MUST let users make albums
- **FR-002**: Users MUST be able to share (see User Story 2)

### Measurable Outcomes

- **SC-001**: Done in a minute
`),
  ).toEqual([
    "5 US-1 Make an album",
    "9 US-2 Share it",
    "13 FR-1 System MUST let users make albums",
    "14 FR-2 Users MUST be able to share (see User Story 2)",
    "18 SC-1 Done in a minute",
  ]);
});

it.each([
  ["## US-1: A\n\n### FR-1 Chat channel\n", "US-1 FR-1"],
  ["**FR-1**: at the left margin\n\nFR-2: plain\n", "FR-1 FR-2"],
  ["- **FR-1** bold, no colon\n", "FR-1"],
  ["- **FR-1: all bold** and more\n", "FR-1"],
  ["1. FR-1: numbered\n2. `FR-2`: code\n3. [FR-3] [P1]: brackets\n", "FR-1 FR-2 FR-3"],
  ["| # | ID | What |\n|---|---|---|\n| 1 | FR-1 | a |\n", "FR-1"],
  ["| ID |\n|---|\n| FR-1 |\n| FR-2, FR-3 |\n| see FR-4 |\n", "FR-1"],
  ["### FR-1 to FR-3: exports\n\n### FR-4–FR-6\n\n### Tests for User Story 1\n", ""],
  ["FR-1 is a must.\nAs FR-2: says\n\n> FR-3: quoted\n", ""],
  ["### US-1: A\n\n- AC-1: without a dot\n", "US-1 AC-1"],
  ["| NFR-1 | None |\n| NFR-2 | N/A here |\n| NFR-3 | Nonetheless |\n- FR-1: none\n", "NFR-3"],
])("of %j it reads %j", (text, ids) => {
  expect(
    parseRequirements(text)
      .map(({ id }) => id)
      .join(" "),
  ).toBe(ids);
});

it("gives a criterion without a story number the story it is listed under", () => {
  const text = "### US-7: A\n\n- AC-001: x\n\n## Other\n\n- AC-002: y\n";
  expect(parseRequirements(text).map(({ story }) => story)).toEqual([undefined, "US-7", undefined]);
});

it("takes a title from the column that has one", () => {
  const text = "| ID | Who | Needs |\n|---|---|---|\n| US-1 | clerk | an export |\n";
  expect(defined(text)).toEqual(["3 US-1 an export"]);
});

it("takes any text, defines each id once, and stays on its lines", () => {
  const piece = constantFrom(
    "FR-1",
    "US1",
    "AC-1.1",
    "User Story 2",
    "FR-1..FR-9",
    ":",
    "-",
    "**",
    "|",
    "#",
    "[ ]",
    "`",
    ..." \n ``` <!-- --> ( ) .".split(" "),
    "\n",
    " ",
  );
  assert(
    property(array(piece, { maxLength: 80 }), (pieces) => {
      const text = pieces.join("");
      const found = parseRequirements(text);
      const ids = found.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { id, line, written, mentions } of found) {
        expect(normalizeId(written)).toBe(id);
        expect(text.split("\n")[line - 1]).toContain(written);
        for (const other of mentions) expect(ids).toContain(other);
      }
    }),
  );
});

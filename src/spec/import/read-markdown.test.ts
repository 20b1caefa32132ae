import { describe, expect, it } from "vitest";
import { specum } from "../../../test/support/editions.ts";
import { lintTasks } from "../../tasks/lint/lint.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { parseRequirements } from "../requirements.ts";
import { NotAList } from "./foreign.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { readMarkdownList } from "./read-markdown.ts";

const fromText = (text: string): ImportPlan =>
  planImport(specum, readMarkdownList(text), { name: "demo", source: "list", reopen: false });
const tasksIn = ({ files }: ImportPlan): string => files["tasks.md"] as string;
const listed = (plan: ImportPlan): string[] =>
  parseTasks(tasksIn(plan)).tasks.map(
    ({ id, title, checked }) => `${id}${checked ? " x" : ""} ${title}`,
  );
const errors = (plan: ImportPlan): unknown[] =>
  lintTasks(parseTasks(tasksIn(plan))).filter(({ severity }) => severity === "error");

describe("Markdown", () => {
  it("says what has no box, and what nothing asks for", () => {
    const boxes = fromText("# T\n\n- [ ] One\n  - a step\n- Two\n\n1. Three\n2. [ ] Four\n");
    expect(listed(boxes)).toEqual(["1.1 One", "1.2 Four"]);
    expect(boxes.left).toEqual(['2 items without a box: "Two", "Three"']);
    const prd = fromText("# T\n\n## Features\n\n- One\n\n## Risks\n\n- Two\n- Three\n");
    expect(listed(prd)).toEqual(["1.1 One"]);
    expect(prd.left).toEqual(["2 items below Risks"]);
  });

  it("boxes of any kind are tasks, boxes in them are steps", () => {
    const plan = fromText(`# Todo: the shop

## Backend

* [x] Store it
  * [x] a table
  * [ ] a column
1. [ ] Serve it (depends on Store it)
- [ ] 12. Third
- Group
  - [ ] Nested in plain text

\`\`\`
- [ ] not a task
\`\`\`

## Frontend

- [ ] Show it
  - Verify: \`npm test -- show\`
  - Files: src/a.ts, \`src/b.ts\`
`);
    expect(listed(plan)).toEqual([
      "1.1 x Store it",
      "1.2 Serve it (depends on Store it)",
      "1.3 Third",
      "2.1 Nested in plain text",
      "3.1 Show it",
    ]);
    const text = tasksIn(plan);
    expect(text).toContain("    1. a table (ticked there)\n    2. a column");
    expect(text).toContain(
      "  - **Files**: `src/a.ts`, `src/b.ts`\n  - **Verify**: `npm test -- show`",
    );
    expect(errors(plan)).toEqual([]);
    expect(plan.withoutVerify).toBe(3);
  });

  it("a list in our grammar is taken as it is", () => {
    const text =
      "# Tasks\n\n## Phase 1: A\n\n- [x] 1.1 [P] One\n  - **Verify**: `npm test`\n- [ ] 1.2 Two\n";
    expect(tasksIn(fromText(text))).toBe(text);
  });

  it("a PRD becomes a task for each story", () => {
    const plan = fromText(`# PRD: Priorities

Adds priorities to tasks.

## Goals

- faster

## User Stories

### US-001: Store it

**Description:** As a developer, I need to store the priority.

**Acceptance Criteria:**

- [x] There is a column
- [x] Typecheck passes

### US-002: Show it

As a user, I want to see the priority.

**Acceptance Criteria:**

- [ ] A badge
- [ ] \`npm test -- badge\` passes

## Non-Goals

- colours
`);
    expect(listed(plan)).toEqual(["1.1 x Store it", "1.2 Show it"]);
    expect(tasksIn(plan)).toContain("  - **Verify**: `npm test -- badge`");
    const requirements = parseRequirements(plan.files["requirements.md"] as string);
    expect(requirements.map(({ id }) => id)).toEqual([
      "US-1",
      "AC-1.1",
      "AC-1.2",
      "US-2",
      "AC-2.1",
      "AC-2.2",
    ]);
    expect(plan.left[0]).toBe("the sections Goals, Non-Goals");
  });

  it("without stories and boxes, what is listed as required", () => {
    const plan = fromText(
      "# App\n\n## Requirements\n\n- log in\n- log out\n\n## Out of Scope\n\n- sign up\n",
    );
    expect(listed(plan)).toEqual(["1.1 log in", "1.2 log out"]);
    expect(() => fromText("# App\n\nJust words.\n")).toThrow(NotAList);
  });
});

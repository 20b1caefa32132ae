import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { checkCoverage, planCoverage } from "./coverage.ts";
import { parseRequirements } from "./requirements.ts";

const SPECUM = `### US-1: Export

- AC-1.1: one
- AC-1.2: two

### US-2: Print

- AC-2.1: three

| ID | Requirement | Criteria |
|---|---|---|
| FR-1 | Writes | AC-1.1 |
| FR-2 | Reads |  |

- SC-1: Fast

## Out of Scope

- FR-9: Fax
`;
const SPECKIT = `### User Story 1 - Albums (Priority: P1)

### User Story 2 - Sharing (Priority: P2)

- **FR-001**: make
- **FR-002**: share
`;

const plan = (requirements: string, tasks: string) =>
  planCoverage(parseRequirements(requirements), parseTasks(tasks));
/** `FR-1=1.1,1.2` of each requirement that has a task. */
const covered = (requirements: string, tasks: string): string =>
  plan(requirements, tasks)
    .requirements.filter((one) => one.tasks.length > 0)
    .map((one) => `${one.requirement.id}=${one.tasks.map(({ id }) => id).join()}`)
    .join(" ");
const task = (text: string): string => `- [ ] 1.1 ${text}\n`;

describe("what a task covers", () => {
  it.each([
    ["_Requirements: FR-2_", "FR-2=1.1"],
    ["**Requirements**: FR-2", "FR-2=1.1"],
    ["**Requirements:** fr-002", "FR-2=1.1"],
    ["- **Requirements**:\n    - FR-2 (reads)\n    - AC-2.1", "US-2=1.1 AC-2.1=1.1 FR-2=1.1"],
    ["**Acceptance**: it works. _Requirements: FR-2_", "FR-2=1.1"],
    // A story by one of its criteria, but the other criteria not by way of the story.
    ["_Requirements: AC-1.2_", "US-1=1.1 AC-1.2=1.1"],
    ["_Requirements: US-1_", "US-1=1.1 AC-1.1=1.1 AC-1.2=1.1 FR-1=1.1"],
    // The story of what FR-1's row names, but not the criterion: that has to be named.
    ["_Requirements: FR-1_", "US-1=1.1 FR-1=1.1"],
    ["_Requirements: AC-1.1_", "US-1=1.1 AC-1.1=1.1 FR-1=1.1"],
    ["_Requirements: FR-1..FR-2_", "US-1=1.1 FR-1=1.1 FR-2=1.1"],
    // Said of something else.
    ["**Do**: like FR-2 did", ""],
    ["```\n  _Requirements: FR-2_\n  ```", ""],
    ["_Requirements: 1.1, none_", ""],
  ])("%j", (field, found) => {
    expect(covered(SPECUM, `${task("Title")}  ${field}\n`)).toBe(found);
  });

  it.each([
    ["Reads, for FR-2", "FR-2=1.1"],
    ["[P] [FR-2] Reads", "FR-2=1.1"],
    ["[US2] Prints", "US-2=1.1 AC-2.1=1.1"],
    ["Prints [US2]", "US-2=1.1 AC-2.1=1.1"],
    ["Prints — _Requirements: FR-2_", "FR-2=1.1"],
    ["In us-east-1 with AC3", ""],
  ])("by its title or tag: %j", (title, found) => {
    expect(covered(SPECUM, task(title))).toBe(found);
  });

  it("by the heading it is under", () => {
    const tasks =
      "## Phase 3: User Story 2 - Sharing (Priority: P2)\n\n- [ ] T001 Share\n\n## Polish\n\n- [ ] T002 Tidy\n";
    expect(covered(SPECKIT, tasks)).toBe("US-2=T001");
  });

  it("is listed in the order of the tasks, each once", () => {
    const tasks = "- [ ] 1.1 FR-2\n- [ ] 1.2 FR-2 and FR-2\n  _Requirements: FR-2_\n";
    expect(covered(SPECUM, tasks)).toBe("FR-2=1.1,1.2");
  });
});

describe("what belongs together", () => {
  /** `FR-1: own 1.1, all 1.1,1.2` of one requirement. */
  const ownOf = (requirements: string, tasks: string, id: string): string => {
    const one = plan(requirements, tasks).requirements.find(
      ({ requirement }) => requirement.id === id,
    );
    const ids = (list: readonly { id: string }[] = []): string => list.map((own) => own.id).join();
    return `own ${ids(one?.own)}, all ${ids(one?.tasks)}, checks ${ids(one?.checks)}`;
  };
  const SHARED =
    "### US-1: a\n\n- AC-1.1: one\n\n### US-2: b\n\n- AC-2.1: two\n\n- FR-1: c (AC-1.1, AC-2.1)\n- FR-2: like FR-1\n";

  it.each([
    // One of two stories, or one of two criteria, is not all of it.
    ["- [ ] 1.1 US-1\n", "FR-1", "own , all 1.1, checks "],
    ["- [ ] 1.1 AC-1.1\n", "FR-1", "own , all 1.1, checks "],
    // To be mentioned by a neighbour is not to be met by it.
    ["- [ ] 1.1 FR-1\n", "FR-2", "own , all , checks "],
    ["- [ ] 1.1 FR-1\n", "AC-1.1", "own , all , checks "],
    ["- [ ] 1.1 AC-1.1\n", "AC-2.1", "own , all , checks "],
    // Once tasks name requirements, the tasks of a story that one mentions are not its own.
    ["- [ ] 1.1 US-1\n- [ ] 1.2 FR-1\n", "FR-1", "own 1.2, all 1.2, checks "],
    ["- [ ] 1.1 US-1\n- [ ] 1.2 FR-2\n", "FR-1", "own , all , checks "],
  ])("%j: %s is %s", (tasks, id, expected) => {
    expect(ownOf(SHARED, tasks, id)).toBe(expected);
  });

  it.each([
    ["- [ ] 1.1 FR-2\n- [ ] 1.2 x\n- [ ] 1.3 [VERIFY] x\n- [ ] 1.4 [VERIFY] x\n", "1.3"],
    ["- [ ] 1.1 FR-2\n- [ ] 1.2 [VERIFY] FR-1\n- [ ] 1.3 [VERIFY] x\n", ""],
    ["- [ ] 1.1 [VERIFY] x\n- [ ] 1.2 FR-2\n", ""],
    ["## A\n\n- [ ] 1.1 FR-2\n\n## B\n\n- [ ] 2.1 [VERIFY] x\n", ""],
  ])("a [VERIFY] task that names nothing checks those before it: %j", (tasks, checks) => {
    expect(ownOf(SHARED, tasks, "FR-2")).toMatch(new RegExp(`checks ${checks}$`));
  });
});

const missing = (requirements: string, tasks: string): string =>
  plan(requirements, tasks)
    .requirements.filter((one) => one.isRequired && one.tasks.length === 0)
    .map((one) => one.requirement.id)
    .join(" ");

describe("what must have a task", () => {
  it("is all but success criteria and what is out of scope", () => {
    expect(missing(SPECUM, task("Nothing"))).toBe("US-1 AC-1.1 AC-1.2 US-2 AC-2.1 FR-1 FR-2");
  });

  it("is in Spec Kit each story, and each FR once a task names one", () => {
    expect(missing(SPECKIT, task("[US1] x"))).toBe("US-2");
    expect(missing(SPECKIT, task("[US1] [US2] x for FR-001"))).toBe("FR-2");
    expect(missing("- **FR-001**: make\n", task("x"))).toBe("");
    expect(missing("- **FR-1**: make\n", task("x"))).toBe("FR-1");
  });
});

describe("what nobody defines", () => {
  it.each([
    ["x\n  _Requirements: FR-2, FR-7_", "FR-7:2"],
    ["x\n  _Requirements: FR-2..FR-004_", "FR-004:2"],
    ["x for FR-7 and FR-7", "FR-7:1"],
    ["[US9] x", "US9:1"],
    ["x [US9]", "US9:1"],
    ["x\n  **Do**: like FR-7\n", ""],
    ["x in us-east-1 with AC3", ""],
    ["[P] [FIX 1.2] [VERIFY] x", ""],
  ])("%j", (text, unknown) => {
    const found = plan(SPECUM, task(text)).unknown;
    expect(found.map(({ written, line }) => `${written}:${line}`).join()).toBe(unknown);
  });

  it("is nothing if no requirement has an id", () => {
    expect(plan("We want an export.", task("[US9] x for FR-7")).unknown).toEqual([]);
  });
});

it("says what is wrong, where, and what to do", () => {
  const requirements = "### US-1: Export\n\n- AC-1.1: one\n";
  const tasks = task("x for FR-7");
  expect(checkCoverage(plan(requirements, tasks))).toMatchObject([
    {
      code: "uncovered-requirement",
      message: "US-1 (Export) has no task.",
      fix: expect.stringContaining("(_Requirements: US-1_)") as string,
      file: "requirements",
      line: 1,
    },
    { code: "uncovered-requirement", message: "AC-1.1 (one) has no task.", line: 3 },
    {
      code: "unknown-requirement",
      message: "1.1 refers to FR-7, which is not defined.",
      file: "tasks",
      line: 1,
    },
  ]);
  const [story] = checkCoverage(plan(SPECKIT, task("x")));
  expect(story).toMatchObject({ message: "US1 (Albums) has no task." });
  expect(story?.fix).toContain("([US1])");
  expect(checkCoverage(plan(SPECKIT, task("[US1] [US2] x")))).toEqual([]);
});

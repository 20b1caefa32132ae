import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { checkCoverage, planCoverage } from "./coverage.ts";
import { checkDelta, parseDelta } from "./delta.ts";

const DELTA = `# Spec Delta

## Purpose

Lets users take their data with them, in a format that others can read.

## ADDED Requirements

### Requirement: User can export data

The system SHALL export all data of a user as CSV.

#### Scenario: Successful export

- **WHEN** a user exports
- **THEN** a file is downloaded

#### Scenario: Nothing to export

- **WHEN** a user without data exports
- **THEN** the file has only a header

\`\`\`
### Requirement: Not one
\`\`\`

### Requirement: FR-7 Export

The system MUST write the name of each column.

#### Scenario: Header

- **WHEN** a file is written
- **THEN** its first line is the header

## REMOVED Requirements

### Requirement: Legacy export

**Reason**: replaced
`;

const FILE = "specs/data-export/spec.md";
const requirements = parseDelta(DELTA, "data-export", FILE);

describe("a delta of OpenSpec", () => {
  it("has requirements by name, with their scenarios", () => {
    expect(requirements.map(({ id, line, story }) => [id, line, story])).toEqual([
      ["data-export: User can export data", 9, undefined],
      [
        "data-export: User can export data / Successful export",
        13,
        "data-export: User can export data",
      ],
      [
        "data-export: User can export data / Nothing to export",
        18,
        "data-export: User can export data",
      ],
      ["data-export: FR-7 Export", 27, undefined],
      ["data-export: FR-7 Export / Header", 31, "data-export: FR-7 Export"],
      ["data-export: Legacy export", 38, undefined],
    ]);
  });

  const covered = (tasks: string) => {
    const coverage = planCoverage(requirements, parseTasks(tasks));
    return {
      tasks: Object.fromEntries(
        coverage.requirements.map(({ requirement, tasks: own }) => [
          requirement.written.replace("data-export: ", ""),
          own.map(({ id }) => id).join(" "),
        ]),
      ),
      problems: checkCoverage(coverage).map(({ code, about, part }) => [code, about, part]),
    };
  };

  it("needs nothing of tasks that name no requirement, as OpenSpec's own do not", () => {
    const { tasks, problems } = covered("## 1. Export\n\n- [ ] 1.1 Export the data\n");
    expect(problems).toEqual([]);
    expect(tasks).toEqual({ "User can export data": "", "FR-7 Export": "", "Legacy export": "" });
  });

  it("is named by requirement, by id, by scenario and by capability, whatever the marks", () => {
    const field = (words: string): string =>
      covered(`- [ ] 1.1 A\n  - _Requirements: ${words}_\n`).tasks[
        "User can export data"
      ] as string;
    for (const words of [
      "User can export data",
      "user can  export DATA",
      "**Requirement: User can export data**",
      "data-export: User can export data, Legacy export",
      "`data-export`",
      "data-export",
      "Successful export",
    ])
      expect([words, field(words)]).toEqual([words, "1.1"]);
    expect(covered("- [ ] 1.1 A\n  - _Requirements: FR-7_\n").tasks["FR-7 Export"]).toBe("1.1");
  });

  it("a short name inside a longer one is not named by it", () => {
    const { tasks } = covered("- [ ] 1.1 A\n  - _Requirements: Legacy export_\n");
    expect(tasks).toEqual({
      "User can export data": "",
      "FR-7 Export": "",
      "Legacy export": "1.1",
    });
  });

  it("a title or a heading counts if it has the whole name, or the capability's", () => {
    expect(
      covered("- [ ] 1.1 Show that a user can export data\n").tasks["User can export data"],
    ).toBe("1.1");
    expect(covered("- [ ] 1.1 Drop the legacy export\n").tasks["Legacy export"]).toBe("");
    expect(covered("## 2. Data export\n\n- [ ] 2.1 Write it\n").tasks).toEqual({
      "User can export data": "2.1",
      "FR-7 Export": "2.1",
      "Legacy export": "2.1",
    });
  });

  it("once a task names one, each needs a task, and an unknown name is a mistake", () => {
    const text = "- [ ] 1.1 A\n  - _Requirements: User can export data, User can import data_\n";
    expect(covered(text).problems).toEqual([
      ["uncovered-requirement", "data-export: FR-7 Export", FILE],
      ["uncovered-requirement", "data-export: Legacy export", FILE],
      ["unknown-requirement", "1.1 User can import data", undefined],
    ]);
  });

  it.each(["none", "n/a", "-", "see specs/data-export/spec.md"])("%s names nothing", (word) => {
    expect(covered(`- [ ] 1.1 A\n  - _Requirements: ${word}_\n`).problems).toEqual([]);
  });
});

describe("what OpenSpec would refuse", () => {
  const codes = (text: string): string[] =>
    checkDelta(text).map(({ code, line }) => `${code} ${line}`);

  it("is found before it does", () => {
    expect(codes(DELTA)).toEqual([]);
    expect(codes("# Spec\n\n## Requirements\n")).toEqual(["delta-missing 1"]);
    expect(codes("## ADDED Requirements\n\nNone.\n")).toEqual(["requirement-missing 1"]);
    expect(codes("## ADDED Requirements\n\n### Requirement: A\n\nIt works.\n")).toEqual([
      "scenario-missing 3",
      "not-normative 3",
    ]);
    // Three hashes do not make a scenario.
    expect(
      codes(
        "## MODIFIED Requirements\n\n### Requirement: A\n\nIt SHALL work.\n\n### Scenario: x\n",
      ),
    ).toEqual(["scenario-missing 3"]);
    expect(
      codes(
        "## RENAMED Requirements\n\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n",
      ),
    ).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { parseRequirements } from "./requirements.ts";
import { pointSettler } from "./settled-points.ts";

const list = parseTasks(`- [x] 1.1 Parse it
  - _Requirements: FR-1_
- [x] 1.2 Print it
  - _Requirements: FR-2_
- [ ] 1.3 Sort it
  - _Requirements: FR-2_
- [x] T014 Say it
`);
const requirements = parseRequirements(
  "## Functional Requirements\n\n- **FR-1**: It parses.\n- **FR-2**: It prints.\n- **FR-3**: It sings.\n",
);
const isSettled = pointSettler(list, requirements, ({ checked }) => checked);

it.each([
  "RISK: task 1.1 may be slow",
  "tasks: RISK: 1.2 reads the whole file",
  "1.1 decides on the format",
  "OPEN: which format? (1.2)",
  "Tasks 1.1, 1.2 and T014 write the same file",
  "RISK: FR-1 is only measured by `1.2`",
  "design: OPEN: FR-1 says nothing about an empty file",
  "See T014",
])("is settled by work that is done: %s", (point) => {
  expect(isSettled(point)).toBe(true);
});

it.each([
  ["nothing is named", "RISK: nobody knows the load"],
  ["a task is open", "RISK: tasks 1.1 and 1.3 write the same file"],
  ["one that may be meant is open", "RISK: task 1.1 is needed by what 1.3 does"],
  ["a requirement has an open task", "OPEN: FR-2 says nothing about width"],
  ["a requirement has no task", "OPEN: FR-3 needs a voice"],
  ["nobody knows the requirement", "OPEN: FR-9 contradicts FR-1"],
  ["it is a version", "OPEN: is TLS 1.2 enough?"],
  ["it is code", "RISK: `npm i left-pad@1.2` may fail"],
  ["nobody knows the task", "RISK: task 9.9 may be slow"],
])("stays open if %s", (_, point) => {
  expect(isSettled(point)).toBe(false);
});

import { expect, it } from "vitest";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { asksOnlyCommands } from "./only-commands.ts";

const asks = (...fields: string[]): boolean => {
  const list = parseTasks(
    `- [ ] 1.4 [VERIFY] Quality checkpoint\n${fields.map((one) => `  - ${one}\n`).join("")}`,
  );
  return asksOnlyCommands(list, list.tasks[0] as Task);
};

it.each([
  [["**Verify**: `npm test`"]],
  [["**Verify**: `npm run lint && npm test`", "**Done when**: All commands exit 0, no errors."]],
  [["**Do**: Run `npm test`", "**Verify**: `npm test`", "**Commit**: `chore: pass checkpoint`"]],
  [["**Do**: Run all quality checks; fix any issues found", "**Verify**: `npm run check`"]],
  [["**Do**:\n    1. `npm run lint`\n    2. `npm test`", "**Verify**: `npm run lint && npm test`"]],
  [["**Verify**: `test -f dist/a.js`", "**Files**: none", "_Requirements: FR-1_"]],
  [["**Verify**: `npm test` exits 0", "**Done when**: 0 failures"]],
])("a program can do %j", (fields) => {
  expect(asks(...fields)).toBe(true);
});

it.each([
  [[]],
  [["**Verify**: All acceptance criteria are met"]],
  [["**Verify**: `npm test`", "**Do**: Read requirements.md and check each AC against the code"]],
  [["**Verify**: `npm test`", "**Do**: Run `npm run e2e`"]],
  [["**Verify**: `npm test`", "**Done when**: the login page shows the user's name"]],
  [["**Verify**: `npm test || true`"]],
  [["**Verify**: open the browser and look"]],
  [["**Verify**: `npm test`", "Look at the logs by hand"]],
  [["**Verify**: `npm test`", "**Review**: the code"]],
  [["**Verify**: `npm test` and the output is beautiful"]],
])("somebody has to look at %j", (fields) => {
  expect(asks(...fields)).toBe(false);
});

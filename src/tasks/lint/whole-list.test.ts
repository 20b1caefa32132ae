import { expect, it } from "vitest";
import { parseTasks } from "../parse.ts";
import { lintTasks } from "./lint.ts";

const lintAll = (text: string) => lintTasks(parseTasks(text));

it.each(["", "# Plan\n\nWe begin.\n"])("a list without a task is an error: %j", (text) => {
  expect(lintAll(text)).toMatchObject([{ severity: "error", code: "no-tasks", line: 1 }]);
});

it("a guard that says what it guards is fine, although its Verify passes today", () => {
  expect(lintAll("- [ ] 1.1 [GUARD] a\n  - **Verify**: `npm test`\n")).toEqual([]);
});

it("tasks without a Verify are named once, in every dialect", () => {
  const found = (text: string) =>
    lintAll(text).filter(({ code }) => code === "tasks-without-verify");
  expect(found("- [ ] 1.1 a\n- [x] 1.2 b\n- [ ] T003 c\n- [ ] d\n")).toMatchObject([
    { line: 1, severity: "warning", message: expect.stringContaining("done: 1.1, T003, #4.") },
  ]);
  expect(found("- [x] 1.1 a\n- [ ] 1.2 b\n")[0]?.message).toContain("done: 1.2.");
  expect(found("- [ ] 1.1 a\n  - **Verify**: `npm test`\n")).toEqual([]);
});

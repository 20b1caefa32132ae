import { expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { planBrief } from "./brief.ts";
import { taskHeard } from "./heard.ts";
import { beginLoop } from "./loop.ts";

const loop = beginLoop("s", {}, undefined, { at: "", runId: "r" });
const brief = (tasks: string) =>
  planBrief({ name: "x", basePath: "./x" }, parseTasks(tasks), {}, loop);
const alone = brief("- [ ] 1.1 one\n- [ ] 1.2 two\n");
const group = brief("- [ ] 1.1 [P] one\n- [ ] 1.10 [P] ten\n- [ ] 1.2 [P] two\n");

it.each([
  ["a task alone needs no name", alone, "Done.", undefined, "1.1"],
  ["the orders name it", group, "Done.", "Do task 1.10: ten", "1.10"],
  ["the report names it", group, "Task 1.2 is finished.", undefined, "1.2"],
  ["the orders count before the report", group, "As 1.1 did.", "## Task 1.2 → executor", "1.2"],
  ["1.1 is not in 1.10 or 2.1.1", group, "1.10, see 2.1.1 and 1.1.5", undefined, "1.10"],
  ["two names are none", group, "1.1 and 1.2", undefined, undefined],
  ["no name is none", group, "Done.", undefined, undefined],
  ["nothing is due", brief("- [x] 1.1 one\n"), "Done.", undefined, undefined],
])("%s", (_, due, report, orders, id) => {
  expect(taskHeard(due, report, orders)).toBe(id);
});

import { expect, it } from "vitest";
import { parseTasks } from "../../tasks/parse.ts";
import { planHandOut } from "../hand-out.ts";
import type { Entry } from "../journal.ts";
import { startLoop } from "../loop.ts";
import { matchReport, listTasksOut } from "./match-report.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const alone = "- [x] 1.1 one\n- [ ] 1.2 two\n- [ ] 1.3 three\n";
const group = "- [ ] 1.1 [P] one\n- [ ] 1.10 [P] ten\n- [ ] 1.2 [P] two\n\n- [ ] 1.3 three\n";
const letters = "- [ ] 3.6 [P] one\n- [ ] 3.6a [P] two\n- [ ] 3.6.b [P] three\n";

it.each([
  ["a task alone needs no name", alone, "Done.", undefined, "1.2"],
  ["nor in its orders", alone, "As 1.1 did.", "Write the second part.", "1.2"],
  ["its orders may name others too", alone, "Done.", "Do 1.2, as 1.1 was done.", "1.2"],
  ["an agent of an earlier task speaks again", alone, "1.2 is next.", "Do 1.1.", undefined],
  ["an agent of a later task was started early", alone, "Done.", "Do 1.3.", undefined],
  ["a report on another task, and no orders", alone, "1.1 is done.", undefined, undefined],
  ["the orders name it", group, "Done.", "Do task 1.10: ten", "1.10"],
  ["the report names it", group, "Task 1.2 is finished.", undefined, "1.2"],
  ["the report tells what the orders leave open", group, "1.2 it is.", "1.1, 1.10 or 1.2", "1.2"],
  ["the orders count before the report", group, "As 1.1 did.", "## Task 1.2 → executor", "1.2"],
  ["the title counts before the text", group, "1.1", "# Task 1.2 of spec x\n\nAC-1.1, 1.10", "1.2"],
  ["a title of none of the group", group, "1.2", "# Task 1.3 of spec x\n\nAfter 1.2.", undefined],
  ["the orders were for none of the group", group, "1.2 is done.", "Do 1.3.", undefined],
  ["1.1 is not in 1.10 or 2.1.1", group, "1.10, see 2.1.1 and 1.1.5", undefined, "1.10"],
  ["3.6 is not in 3.6a", letters, "3.6a is done.", undefined, "3.6a"],
  ["nor in 3.6.b", letters, "Done: 3.6.b.", undefined, "3.6.b"],
  ["3.6 at the end of a sentence", letters, "I did 3.6. All is well.", undefined, "3.6"],
  ["two names are none", group, "1.1 and 1.2", undefined, undefined],
  ["no name is none", group, "Done.", undefined, undefined],
  ["nothing is due", "- [x] 1.1 one\n", "Done.", undefined, undefined],
])("%s", (_, text, report, orders, id) => {
  const list = parseTasks(text);
  const brief = planHandOut({ name: "x", basePath: "./x" }, list, {}, loop);
  expect(matchReport(listTasksOut(brief, list, loop, []), list, report, orders)).toBe(id);
});

it.each([
  ["a box that its own agent ticked", "- [x] 1.1 a\n- [ ] 1.2 b\n", [], ["1.1"]],
  ["the same, once its report was weighed", "- [x] 1.1 a\n- [ ] 1.2 b\n", ["1.1"], ["1.2"]],
  ["the last box", "- [x] 1.1 a\n", [], ["1.1"]],
  [
    "some of a group",
    "- [x] 1.1 [P] a\n- [x] 1.2 [P] b\n- [ ] 1.3 [P] c\n\n- [ ] 1.4 d\n",
    ["1.2"],
    ["1.1", "1.3"],
  ],
])("is still out: %s", (_, text, proven, ids) => {
  const list = parseTasks(text);
  const out = { ...loop, task: "1.1" };
  const brief = planHandOut({ name: "x", basePath: "./x" }, list, {}, out);
  const entries = proven.map((task): Entry => ({ at: "", event: "done", task, loop: out }));
  expect(listTasksOut(brief, list, out, entries)).toEqual(ids);
});

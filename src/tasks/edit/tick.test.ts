import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documents } from "../../../test/corpus/documents.ts";
import { runsOf } from "../../../test/support/full.ts";
import type { Task, TaskList } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { setChecked, taskText } from "./tick.ts";

const parse = (text: string): { list: TaskList; task: Task } => {
  const list = parseTasks(text);
  return { list, task: list.tasks.at(-1) as Task };
};

describe("setChecked", () => {
  it.each<[before: string, checked: boolean, after: string]>([
    ["- [ ] 1.1 a", true, "- [x] 1.1 a"],
    ["- [x] 1.1 a", false, "- [ ] 1.1 a"],
    ["- [X] 1.1 a", false, "- [ ] 1.1 a"],
    ["- [X] 1.1 a", true, "- [X] 1.1 a"],
    ["- [ ] 1.1 a", false, "- [ ] 1.1 a"],
    ["- [ ] 1.1 [ ] [x] a", true, "- [x] 1.1 [ ] [x] a"],
    ["*\t[ ]\t1.1\ta\t\r\n", true, "*\t[x]\t1.1\ta\t\r\n"],
    ["\uFEFF- [ ] 🚀\r\n\r\n", true, "\uFEFF- [x] 🚀\r\n\r\n"],
    ["- 1. [ ] 1.1 a", true, "- 1. [x] 1.1 a"],
    // what was not quite a box becomes one
    ["- [] 1.6 x", true, "- [x] 1.6 x"],
    ["- [ ]1.7 x\r\n", true, "- [x] 1.7 x\r\n"],
    ["- [x]1.8 x", false, "- [ ] 1.8 x"],
    ["-[ ] 2.0 x", true, "- [x] 2.0 x"],
    ["\uFEFF-[]2.0 x", true, "\uFEFF- [x] 2.0 x"],
    ["* [ ]T012 x", true, "* [x] T012 x"],
    ["- [ x ] 1.9 z", false, "- [ ] 1.9 z"],
    ["- [✓] 1.9 z", false, "- [ ] 1.9 z"],
    ["- [ ]\u00A01.9 z", true, "- [x] 1.9 z"],
    ["- [x]1.8 x", true, "- [x]1.8 x"],
    [
      "```\n- [ ] 1.1\n```\n  - [ ] 1.1 a\n\n- [ ]",
      true,
      "```\n- [ ] 1.1\n```\n  - [x] 1.1 a\n\n- [ ]",
    ],
  ])("%j, %j: %j", (before, checked, after) => {
    const { list, task } = parse(before);
    expect(setChecked(list, task, checked)).toBe(after);
    expect(list.lines.join("")).toBe(before);
  });

  it("changes one character and one flag", () => {
    const withTask = documents.filter((text) => parseTasks(text).tasks.length > 0);
    fc.assert(
      fc.property(withTask, fc.nat(), fc.boolean(), (text, seed, checked) => {
        const list = parseTasks(text);
        const task = list.tasks[seed % list.tasks.length] as Task;
        const edited = setChecked(list, task, checked);
        const lines = edited.split(/(?<=\n)/);
        const changed = lines.flatMap((line, i) => (line === list.lines[i] ? [] : [i + 1]));

        expect(changed).toEqual(task.checked === checked ? [] : [task.line]);
        const own = list.lines[task.line - 1] as string;
        // A box that is written wrong becomes a proper one; of any other, a single character changes.
        if (/(?:[-*+]|\d[.)])[ \t]+\[[ xX]\][ \t]/.test(own)) {
          const now = lines[task.line - 1] as string;
          expect(now).toHaveLength(own.length);
          expect([...own].filter((character, at) => character !== [...now][at])).toHaveLength(
            changed.length,
          );
        }
        expect(parseTasks(edited).tasks).toEqual(
          list.tasks.map((other) => (other === task ? { ...other, checked } : other)),
        );
      }),
      { numRuns: runsOf(1000) },
    );
  });
});

describe("taskText", () => {
  it.each<[file: string, text: string]>([
    ["# A\n- [ ] 1.1 a", "- [ ] 1.1 a"],
    ["- [ ] 1.1 a\n  - **Do**: b\n\n  c\n\n\n# Next", "- [ ] 1.1 a\n  - **Do**: b\n\n  c"],
    ["- [ ] 1.1 a\r\n  b\r\n", "- [ ] 1.1 a\r\n  b"],
    ["- [ ] 1. a\n  - [ ] 1.1 b\n    c\n", "  - [ ] 1.1 b\n    c"],
    ["\uFEFF- [ ] 1.1 a", "- [ ] 1.1 a"],
  ])("of %j is %j", (file, text) => {
    const { list, task } = parse(file);
    expect(taskText(list, task)).toBe(text);
  });
});

it("ticks a task that somebody had marked as begun", () => {
  const list = parseTasks("- [-] 1.1 a\n- [~] 1.2 b\n");
  expect(setChecked(list, list.tasks[0] as Task, true)).toBe("- [x] 1.1 a\n- [~] 1.2 b\n");
  expect(setChecked(list, list.tasks[1] as Task, false)).toBe("- [-] 1.1 a\n- [~] 1.2 b\n");
});

import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../../test/support/full.ts";
import { taskFile } from "../../../test/support/lists.ts";
import { parseFields } from "../fields.ts";
import { nextFixId, nextSubIds } from "../ids.ts";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { copyFields, planFixTask } from "./fix-task.ts";
import { insertTask, type NewTask } from "./insert.ts";

const NEW: NewTask = { id: "1.9", title: "new" };
function insert(text: string, where: "after" | "before", at = 0, task: NewTask = NEW): string {
  const list = parseTasks(text);
  const anchor = list.tasks[at] as Task;
  return insertTask(
    list,
    where === "after" ? { ...task, after: anchor } : { ...task, before: anchor },
  );
}

describe("the new task is written like the one next to it", () => {
  it.each([
    ["- [ ] 1.1 a\n- [ ] 1.2 b\n", "- [ ] 1.1 a\n- [ ] 1.9 new\n- [ ] 1.2 b\n"],
    ["- [x] 1.1 a\n\n- [ ] 1.2 b\n", "- [x] 1.1 a\n\n- [ ] 1.9 new\n\n- [ ] 1.2 b\n"],
    ["- [ ] 1.1 a\r\n", "- [ ] 1.1 a\r\n- [ ] 1.9 new\r\n"],
    ["- [ ] 1.1 a", "- [ ] 1.1 a\n- [ ] 1.9 new"],
    ["* [ ] 1.1 a\n  * x\n\n## B\n", "* [ ] 1.1 a\n  * x\n* [ ] 1.9 new\n\n## B\n"],
    ["  -   [ ] 1.1 a\n", "  -   [ ] 1.1 a\n  -   [ ] 1.9 new\n"],
    ["- [ ] **1.1** a\n", "- [ ] **1.1** a\n- [ ] **1.9** new\n"],
    ["- [ ] **1.1 a**\n", "- [ ] **1.1 a**\n- [ ] **1.9 new**\n"],
    ["- [ ] **1.1.** a\n", "- [ ] **1.1.** a\n- [ ] **1.9.** new\n"],
    ["- [ ] Task 1.1: a\n", "- [ ] Task 1.1: a\n- [ ] Task 1.9: new\n"],
    ["- [ ] 1. a\n", "- [ ] 1. a\n- [ ] 1.9. new\n"],
    ["- [ ] a box\n", "- [ ] a box\n- [ ] 1.9 new\n"],
    [
      "- [ ] 1.1 a\n  - [ ] 1.1.1 s\n    text\n- [ ] 1.2 b\n",
      "- [ ] 1.1 a\n  - [ ] 1.1.1 s\n    text\n- [ ] 1.9 new\n- [ ] 1.2 b\n",
    ],
    ["-[ ] 1.1 a\n- [ ] 1.2 b\n", "-[ ] 1.1 a\n- [ ] 1.9 new\n- [ ] 1.2 b\n"],
    [
      "- [ ] 1.1 a\n  ```\n  cat <<EOF\n- [ ] b\nEOF\n  ```\n- [ ] 1.2 b\n",
      "- [ ] 1.1 a\n  ```\n  cat <<EOF\n- [ ] b\nEOF\n  ```\n- [ ] 1.9 new\n- [ ] 1.2 b\n",
    ],
    // Behind an open fence it would be code.
    ["- [ ] 1.1 a\n```\ncode\n", "- [ ] 1.9 new\n- [ ] 1.1 a\n```\ncode\n"],
  ])("%j", (text, expected) => {
    expect(insert(text, "after")).toBe(expected);
  });

  it.each([
    ["- [ ] 1.1 a\n", "- [ ] 1.9 new\n- [ ] 1.1 a\n"],
    ["\uFEFF- [ ] 1.1 a\n", "\uFEFF- [ ] 1.9 new\n- [ ] 1.1 a\n"],
    ["# T\n\n- [ ] 1.1 a\n\n- [ ] 1.2 b\n", "# T\n\n- [ ] 1.9 new\n\n- [ ] 1.1 a\n\n- [ ] 1.2 b\n"],
    ["- [ ] 1.1 a", "- [ ] 1.9 new\n- [ ] 1.1 a"],
  ])("before: %j", (text, expected) => {
    expect(insert(text, "before")).toBe(expected);
  });

  it("next to a sub-task it is one too", () => {
    const text = "- [ ] 1.1 a\n  - [ ] 1.1.1 s\n    x\n- [ ] 1.2 b\n";
    expect(insert(text, "after", 1)).toBe(
      "- [ ] 1.1 a\n  - [ ] 1.1.1 s\n    x\n  - [ ] 1.9 new\n- [ ] 1.2 b\n",
    );
  });

  const fields = new Map([
    ["Do", "one\ntwo"],
    ["Verify", "`npm test`"],
  ]);
  it.each([
    ["- [ ] 1.1 a\n  - **Do**: x\n", "  - **Do**: one\n    two\n  - **Verify**: `npm test`\n"],
    [
      "- [ ] 1.1 a\n    - **Do**: x\n",
      "    - **Do**: one\n      two\n    - **Verify**: `npm test`\n",
    ],
    ["- [ ] 1.1 a\n  **Do**: x\n", "  **Do**: one\n    two\n  **Verify**: `npm test`\n"],
    ["- [ ] 1.1 a\n\t* **Do**: x\n", "\t* **Do**: one\n\t  two\n\t* **Verify**: `npm test`\n"],
    ["1. [ ] 1.1 a\n", "   - **Do**: one\n     two\n   - **Verify**: `npm test`\n"],
  ])("with its fields: %j", (text, expected) => {
    const result = insert(text, "after", 0, { ...NEW, tags: ["P"], fields });
    expect(result.startsWith(text)).toBe(true);
    expect(result.endsWith(`[ ] 1.9 [P] new\n${expected}`)).toBe(true);
    const list = parseTasks(result);
    expect(parseFields(list, list.tasks[1] as Task).get("verify")).toBe("`npm test`");
  });

  it("a title of two lines becomes one", () => {
    expect(insert("- [ ] 1.1 a\n", "after", 0, { id: "1.2", title: " b\n\n- [ ] c " })).toBe(
      "- [ ] 1.1 a\n- [ ] 1.2 b - [ ] c\n",
    );
  });
});

describe("fix tasks", () => {
  const text = `- [ ] 1.1 a
  - **Do**: x
  - **Files**: \`a.ts\`,
    \`b.ts\`
  - **Verify**:

    \`\`\`bash
    if true; then
      npm test
    fi
    \`\`\`
  - **Commit**: \`feat: a\`
`;

  it("come after their task, with its files and its proof", () => {
    const list = parseTasks(text);
    const task = list.tasks[0] as Task;
    const fix = planFixTask(list, task, "Fix the import", ["**Do**: fix it"]);
    expect(insertTask(list, { ...fix, after: task }))
      .toBe(`${text}- [ ] 1.1.1 [FIX 1.1] Fix the import
  - **Do**: fix it
  - **Files**: \`a.ts\`,
    \`b.ts\`
  - **Verify**:

    \`\`\`bash
    if true; then
      npm test
    fi
    \`\`\`
`);
  });

  it("have the same fields as their task, in CRLF too", () => {
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      const list = parseTasks(source);
      const task = list.tasks[0] as Task;
      const after = parseTasks(
        insertTask(list, { ...planFixTask(list, task, "Fix", []), after: task }),
      );
      const [was, is] = [task, after.tasks[1] as Task].map((one) => parseFields(after, one));
      expect([...(is ?? [])]).toEqual(
        [...(was ?? [])].filter(([name]) => /files|verify/.test(name)),
      );
    }
  });

  it("copy what is there", () => {
    const list = parseTasks("- [ ] 1.1 a\n  **Files**: x\n  > Unblocks: 1.2\n  **Verify**: y\n");
    const task = list.tasks[0] as Task;
    expect(copyFields(list, task, ["verify", "files", "commit"])).toEqual([
      "**Verify**: y",
      "**Files**: x",
    ]);
    expect(
      planFixTask(parseTasks("- [ ] a\n"), parseTasks("- [ ] a\n").tasks[0] as Task, "b", []),
    ).toEqual({
      id: undefined,
      tags: [],
      title: "b",
      fields: [],
    });
  });
});

describe("ids", () => {
  const list = parseTasks(
    "- [ ] 1.2 a\n- [ ] 1.2.1 b\n- [ ] 1.2.3 c\n- [ ] T012 d\n- [ ] T012a e\n- [ ] V4 f\n- [ ] VE1 g\n- [ ] 3. h\n",
  );
  it.each([
    ["1.2", "1.2.2"],
    ["1.2.1", "1.2.1.1"],
    ["T012", "T012b"],
    ["T012a", "T012b"],
    ["V4", "V1"],
    ["VF", "V1"],
    ["VE1", "VE2"],
    ["V4b", "V1"],
    ["3.6a", "3.6a.1"],
    ["1.2.b", "1.2.b.1"],
    ["T1.2", "T1.2.1"],
    ["3", "3.1"],
    ["#4", undefined],
  ])("a fix of %s is %s", (id, expected) => {
    expect(nextFixId(list, id)).toBe(expected);
  });

  it("several at once, past the existing ones", () => {
    expect(nextSubIds(list, "1.2", 3)).toEqual(["1.2.2", "1.2.4", "1.2.5"]);
    expect(nextSubIds(list, "T012", 30)).toHaveLength(25);
  });
});

it("in any file: it is next to its task, and nothing else changes", () => {
  const task = record({
    id: constantFrom("7.7", "T777"),
    tags: array(constantFrom("P", "FIX 1.1"), { maxLength: 2 }),
    title: constantFrom("new", "with `code` in it"),
    fields: array(constantFrom("**Do**: x", "- **Verify**: `y`", "", "```\nz\n```"), {
      maxLength: 3,
    }),
  });
  assert(
    property(
      taskFile,
      integer({ min: 0, max: 99 }),
      constantFrom("after", "before"),
      task,
      (text, n, where, one) => {
        const list = parseTasks(text);
        const at = n % list.tasks.length;
        const result = insert(text, where as "after", at, one);
        const again = parseTasks(result);
        const place = again.tasks.findIndex(({ id }) => id === one.id);
        expect(again.tasks[place]).toMatchObject({
          id: one.id,
          tags: one.tags,
          title: one.title,
          checked: false,
        });
        const others = again.tasks.filter((_, i) => i !== place);
        expect(others.map(({ title, id }) => id + title)).toEqual(
          list.tasks.map(({ title, id }) => id + title),
        );
        let same = 0;
        while (same < text.length && result[same] === text[same]) same++;
        const added = result.length - text.length;
        // Where the new text begins like the old, the first difference is inside it.
        const isKept = Array.from({ length: same + 1 }, (_, i) => same - i).some(
          (start) => result.slice(0, start) + result.slice(start + added) === text,
        );
        expect(isKept).toBe(true);
      },
    ),
    { numRuns: runsOf(300) },
  );
});

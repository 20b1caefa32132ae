import { assert, pre, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../../test/support/full.ts";
import { taskFile } from "../../../test/support/lists.ts";
import { parseDependencies } from "../dependencies.ts";
import { lintTasks } from "../lint/lint.ts";
import { planOrder } from "../order/plan-order.ts";
import { parseTasks } from "../parse.ts";
import { applyOrder, type Reordering } from "./reorder.ts";
import { taskText } from "./tick.ts";

const bare = (order: readonly number[]): Reordering => ({ order, tasks: [] });
const reorder = (text: string, order: readonly number[], renumber = false): string =>
  applyOrder(parseTasks(text), bare(order), { renumber }).text;
const add = (text: string, tagsToAdd: string[], notesToAdd: string[] = []): string => {
  const list = parseTasks(text);
  const order = list.tasks.map(({ index }) => index);
  return applyOrder(
    list,
    { order, tasks: [{ index: 0, tagsToAdd, notesToAdd }] },
    { renumber: false },
  ).text;
};

describe("moving", () => {
  it("takes bodies and sub-tasks along and leaves blank lines in place", () => {
    const text =
      "# T\n\n- [ ] 1.1 a\n  - **Do**: x\n\n    more\n  - [ ] 1.1.1 s\n- [ ] 1.2 b\n\n\n- [ ] 1.3 c\n\n## N\n";
    expect(reorder(text, [3, 2, 0, 1])).toBe(
      "# T\n\n- [ ] 1.3 c\n- [ ] 1.2 b\n\n\n- [ ] 1.1 a\n  - **Do**: x\n\n    more\n  - [ ] 1.1.1 s\n\n## N\n",
    );
  });

  it.each([
    ["CRLF", "- [ ] 1.1 a\r\n- [ ] 1.2 b\r\n", "- [ ] 1.2 b\r\n- [ ] 1.1 a\r\n"],
    ["mixed ends", "- [ ] 1.1 a\r\n- [ ] 1.2 b\n", "- [ ] 1.2 b\r\n- [ ] 1.1 a\n"],
    ["no end", "- [ ] 1.1 a\n- [ ] 1.2 b", "- [ ] 1.2 b\n- [ ] 1.1 a"],
    ["a BOM", "\uFEFF- [ ] 1.1 a\n- [ ] 1.2 b\n", "\uFEFF- [ ] 1.2 b\n- [ ] 1.1 a\n"],
    ["tabs", "-\t[ ] 1.1 a\n\t- x\n-\t[ ] 1.2 b\n", "-\t[ ] 1.2 b\n-\t[ ] 1.1 a\n\t- x\n"],
    ["numbers", "1. [ ] 1.1 a\n2. [ ] 1.2 b\n", "1. [ ] 1.2 b\n2. [ ] 1.1 a\n"],
    [
      "what a command quotes",
      "- [ ] 1.1 a\n  cat <<EOF\n# A\n- [ ] b\n\nEOF\n- [ ] 1.2 b\n",
      "- [ ] 1.2 b\n- [ ] 1.1 a\n  cat <<EOF\n# A\n- [ ] b\n\nEOF\n",
    ],
    [
      "boxes that are written wrong",
      "-[ ] 1.1 a\n  - **Do**: x\n- []1.2 b\n",
      "- []1.2 b\n-[ ] 1.1 a\n  - **Do**: x\n",
    ],
    ["odd bullets", "* [ ] 1.1 a\n+ [ ] 1.2 b\n", "+ [ ] 1.2 b\n* [ ] 1.1 a\n"],
  ])("keeps %s", (_, text, expected) => {
    expect(reorder(text, [1, 0])).toBe(expected);
  });

  it("leaves references as they are written", () => {
    const text = "- [ ] T001 a\n- [ ] T002 [fix t001] b, depends on t001 to t001\n";
    expect(reorder(text, [0, 1])).toBe(text);
    expect(reorder(text, [0, 1], true)).toBe(text);
  });

  it.each([
    ["a phase", "- [ ] 1.1 a\n\n## B\n\n- [ ] 2.1 b\n"],
    ["a wall", "- [ ] 1.1 a\n- [ ] 1.2 [VERIFY] b\n"],
    ["text", "- [ ] 1.1 a\n\ntext\n\n- [ ] 1.2 b\n"],
    ["an indentation", "- [ ] 1.1 a\n - [ ] 1.2 b\n"],
    ["an open fence", "- [ ] 1.1 a\n- [ ] 1.2 b\n```\ncode\n"],
    [
      "a fence that its closing line opens",
      "- [ ] 1.1 a\n- [ ] 1.2 b\n  ```\nx\n  ```\n- [ ] not\n",
    ],
    ["open HTML", "- [ ] 1.1 a\n- [ ] 1.2 b\n<div>\n\n"],
  ])("never crosses %s, whatever the plan says", (_, text) => {
    expect(reorder(text, [1, 0])).toBe(text);
  });
});

describe("tags and notes", () => {
  it.each([
    ["- [ ] 1.1 a\n", "- [ ] 1.1 [BLOCKER] a\n"],
    ["- [ ] 1.1 [P] a\r\n", "- [ ] 1.1 [P] [BLOCKER] a\r\n"],
    ["- [ ] a", "- [ ] [BLOCKER] a"],
    ["- [ ] **1.1** a\n", "- [ ] **1.1** [BLOCKER] a\n"],
    ["- [ ] **1.1 a**\n", "- [ ] **1.1 [BLOCKER] a**\n"],
    ["- [ ] 1.1: a\n", "- [ ] 1.1: [BLOCKER] a\n"],
    ["- [ ] 1.1 - a\n", "- [ ] 1.1 - [BLOCKER] a\n"],
    ["- [ ] [P] T001 a\n", "- [ ] [P] T001 [BLOCKER] a\n"],
    ["- [ ] Task 1.1 a a\n", "- [ ] Task 1.1 [BLOCKER] a a\n"],
    ["- [ ] 4.1 V4 [P] a\n", "- [ ] 4.1 V4 [P] [BLOCKER] a\n"],
    ["\uFEFF- [ ] 1.1 a\n", "\uFEFF- [ ] 1.1 [BLOCKER] a\n"],
  ])("%j", (text, expected) => {
    expect(add(text, ["BLOCKER"])).toBe(expected);
    expect(parseTasks(expected).tasks[0]?.tags).toContain("BLOCKER");
  });

  const note = "> Unblocks: 1.2";
  it.each([
    ["- [ ] 1.1 a\n- [ ] 1.2 b\n", "- [ ] 1.1 a\n  > Unblocks: 1.2\n- [ ] 1.2 b\n"],
    ["- [ ] 1.1 a\r\n", "- [ ] 1.1 a\r\n  > Unblocks: 1.2\r\n"],
    ["- [ ] 1.1 a", "- [ ] 1.1 a\n  > Unblocks: 1.2"],
    ["1. [ ] 1.1 a\n", "1. [ ] 1.1 a\n   > Unblocks: 1.2\n"],
    ["- [ ] 1.1 a\n    - x\n", "- [ ] 1.1 a\n    > Unblocks: 1.2\n    - x\n"],
    ["-\t[ ] 1.1 a\n\t- x\n", "-\t[ ] 1.1 a\n\t> Unblocks: 1.2\n\t- x\n"],
    [
      "- [ ] 1.1 a\n      goes on\n  - x\n",
      "- [ ] 1.1 a\n      goes on\n  > Unblocks: 1.2\n  - x\n",
    ],
    // Else the field would be read as part of the quote.
    ["- [ ] 1.1 a\n  **Do**: x\n", "- [ ] 1.1 a\n  > Unblocks: 1.2\n\n  **Do**: x\n"],
  ])("%j", (text, expected) => {
    expect(add(text, [], [note])).toBe(expected);
  });
});

describe("renumbering", () => {
  const sorted = (text: string): string => {
    const list = parseTasks(text);
    const order = list.tasks.map(({ index }) => index).reverse();
    return reorder(text, order, true);
  };

  it("updates every certain reference, by whole ids", () => {
    const text = `- [ ] 1.1 a, unlike 1.10 and v1.1, see 1.1
  - **Depends**: 1.2, \`1.1\`
  _Requirements: 1.1, 1.2_
  \`\`\`
  1.1 depends on 1.2
  \`\`\`
- [ ] 1.2 b (depends on 1.1)
  > Unblocks: 1.1 (why 1.1), 1.2

1.2 depends on 1.1. Version 1.1 took 1.2 seconds, \`pip 1.1\`, x==1.1, $1.2, AC 1.1 and 1.2, AC-1.1.
`;
    expect(sorted(text)).toBe(`- [ ] 1.1 b (depends on 1.2)
  > Unblocks: 1.2 (why 1.1), 1.1
- [ ] 1.2 a, unlike 1.10 and v1.1, see 1.1
  - **Depends**: 1.1, \`1.2\`
  _Requirements: 1.1, 1.2_
  \`\`\`
  1.1 depends on 1.2
  \`\`\`

1.1 depends on 1.2. Version 1.1 took 1.2 seconds, \`pip 1.1\`, x==1.1, $1.2, AC 1.1 and 1.2, AC-1.1.
`);
  });

  it.each([
    ["closes gaps", "- [ ] 1.4 a\n- [ ] 1.7 b\n", "- [ ] 1.1 b\n- [ ] 1.2 a\n"],
    [
      "Spec Kit, in its width",
      "- [ ] T011 a, like T012\n- [ ] T012 b\n",
      "- [ ] T011 b\n- [ ] T012 a, like T012\n",
    ],
    [
      "fixes follow",
      "- [ ] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.2.1 [FIX 1.2] c\n",
      "- [ ] 1.1.1 [FIX 1.1] c\n- [ ] 1.1 b\n- [ ] 1.2 a\n",
    ],
    ["parts follow", "- [ ] 1. a\n- [ ] 2. [PART 1] b\n", "- [ ] 1. [PART 2] b\n- [ ] 2. a\n"],
    [
      "sub-tasks follow",
      "- [ ] 1.1 a\n  - [ ] 1.1.1 s\n- [ ] 1.2 b\n",
      "- [ ] 1.1 b\n- [ ] 1.2 a\n  - [ ] 1.2.1 s\n",
    ],
    [
      "lettered follow",
      "- [ ] T001 a\n- [ ] T001a b\n- [ ] T002 c\n",
      "- [ ] T001 c\n- [ ] T002a b\n- [ ] T002 a\n",
    ],
    [
      "letters follow",
      "- [ ] 3.1 a\n- [ ] 3.1a b\n- [ ] 3.1b c, depends on 3.1a\n- [ ] 3.4 d\n",
      "- [ ] 3.1 d\n- [ ] 3.2b c, depends on 3.2a\n- [ ] 3.2a b\n- [ ] 3.2 a\n",
    ],
    [
      "letters without their number keep together",
      "- [ ] 3.1 a\n- [ ] 3.3a b\n- [ ] 3.3b c\n- [ ] 3.4 d\n",
      "- [ ] 3.1 d\n- [ ] 3.2b c\n- [ ] 3.2a b\n- [ ] 3.3 a\n",
    ],
    [
      "what belongs to a letter follows",
      "- [ ] 3.1 a\n- [ ] 3.2 b\n- [ ] 3.2a c\n- [ ] 3.2a.1 [FIX 3.2a] d\n",
      "- [ ] 3.1a.1 [FIX 3.1a] d\n- [ ] 3.1a c\n- [ ] 3.1 b\n- [ ] 3.2 a\n",
    ],
    [
      "letters within stay",
      "- [ ] 2A.1 a\n- [ ] 2A.2 b, depends on 2A.1\n- [ ] T1.2 c\n",
      "- [ ] T1.2 c\n- [ ] 2A.2 b, depends on 2A.1\n- [ ] 2A.1 a\n",
    ],
    [
      "boxes that are written wrong",
      "-[ ] 1.1 a\n- [] 1.2 b\n- [ ]1.3 c\n",
      "- [ ]1.1 c\n- [] 1.2 b\n-[ ] 1.3 a\n",
    ],
    [
      "what a command quotes stays",
      "- [ ] 1.1 a\n  cat <<EOF\n- [ ] depends on 1.2\nEOF\n- [ ] 1.2 b\n",
      "- [ ] 1.1 b\n- [ ] 1.2 a\n  cat <<EOF\n- [ ] depends on 1.2\nEOF\n",
    ],
    [
      "plain numbers",
      "- [ ] 1. a, depends on 2\n- [ ] 2. b, 2 of them\n",
      "- [ ] 1. b, 2 of them\n- [ ] 2. a, depends on 1\n",
    ],
    ["marked ids", "- [ ] **1.1** a\n- [ ] **1.2 b**\n", "- [ ] **1.1 b**\n- [ ] **1.2** a\n"],
    ["V ids stay", "- [ ] V1 a\n- [ ] V2 b\n", "- [ ] V2 b\n- [ ] V1 a\n"],
    ["from 0", "- [ ] 1.0 a\n- [ ] 1.1 b\n", "- [ ] 1.0 b\n- [ ] 1.1 a\n"],
    [
      "headings keep their numbers",
      "## 1.1 Foo\n\n- [ ] 1.1 a\n- [ ] 1.2 b\n",
      "## 1.1 Foo\n\n- [ ] 1.1 b\n- [ ] 1.2 a\n",
    ],
    [
      "a list of ids under a field",
      "- [ ] 1.1 a\n  - **Depends**:\n    - 1.2\n- [ ] 1.2 b\n",
      "- [ ] 1.1 b\n- [ ] 1.2 a\n  - **Depends**:\n    - 1.1\n",
    ],
    [
      "tags in front",
      "- [ ] [FIX 1.2] 1.1 a\n- [ ] 1.2 b\n",
      "- [ ] 1.1 b\n- [ ] [FIX 1.1] 1.2 a\n",
    ],
  ])("%s", (_, text, expected) => {
    expect(sorted(text)).toBe(expected);
  });

  it.each([
    [[0, 1, 2, 3], "T001-T003"],
    [[3, 0, 1, 2], "T002, T003, T004"],
    [[0, 3, 1, 2], "T001, T003, T004"],
  ])("a range under %j", (order, expected) => {
    const text =
      "- [ ] T001 a\n- [ ] T002 b\n- [ ] T003 c\n- [ ] T004 d\n\nT004 depends on T001-T003.\n";
    expect(reorder(text, order, true)).toContain(`depends on ${expected}.`);
    const inWords = text.replace("-T", " to T");
    expect(reorder(inWords, order, true)).toContain(`on ${expected.replace("-", " to ")}.`);
  });

  it.each<[text: string, mentions: string[]]>([
    ["- [ ] 1.2 a\n- [ ] 1.3 b, like 1.2\n", ["2: 1.2"]],
    ["- [ ] 1.2 a\n\nSee 1.2, not 1.9 or v1.2; 1.2 seconds\n", ["3: 1.2", "3: 1.2"]],
    ["- [ ] T002 a\n- [ ] T005 b\n\nT005 is `T005`, not `x T005`\n", ["4: T005", "4: T005"]],
    ["- [ ] 1.2 a\n  - **Depends**: 1.2\n  - _Requirements: 1.2_\n", []],
    ["# 1.2\n\n- [ ] 1.2 a\n  ```\n  1.2\n  ```\n", []],
    ["- [ ] 3. a, 3 of them\n", []],
    ["- [ ] 1.1 a, see 1.1\n", []],
  ])("names what a person has to check: %j", (text, mentions) => {
    const list = parseTasks(text);
    const order = list.tasks.map(({ index }) => index);
    const found = applyOrder(list, bare(order), { renumber: true }).mentions;
    expect(found.map(({ line, id }) => `${line}: ${id}`)).toEqual(mentions);
  });

  it("keeps counting if a number continues under the next heading", () => {
    const text = "## A\n\n- [ ] 1.3 a\n- [ ] 1.1 b\n\n## B\n\n- [ ] 1.2 c\n- [ ] 2.5 d\n";
    expect(reorder(text, [0, 1, 2, 3], true)).toBe(
      "## A\n\n- [ ] 1.1 a\n- [ ] 1.2 b\n\n## B\n\n- [ ] 1.3 c\n- [ ] 2.1 d\n",
    );
  });
});

const RUNS = { numRuns: runsOf(300) };

describe("for any file and its plan", () => {
  it("every task keeps its text, and no other byte changes", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        const plan = planOrder(list);
        const result = applyOrder(list, bare(plan.order), { renumber: false }).text;
        const again = parseTasks(result);
        const texts = (of: typeof list) =>
          of.tasks.map((task) => taskText(of, task).replaceAll("\r", ""));
        expect(texts(again)).toEqual(plan.order.map((index) => texts(list)[index]));
        expect(result.length).toBe(text.length);
        expect([...result].sort().join("")).toBe([...text].sort().join(""));
        if (plan.order.every((index, at) => index === at)) expect(result).toBe(text);
      }),
      RUNS,
    );
  });

  it("renumbered, the same tasks wait for the same tasks, and ids are single and in order", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        // Renumbering gives a meaning to references that had none, or more than one.
        pre(lintTasks(list).every(({ code }) => !/duplicate-id|unknown-dependency/.test(code)));
        const plan = planOrder(list);
        const again = parseTasks(applyOrder(list, bare(plan.order), { renumber: true }).text);
        const edges = (of: typeof list, to: (index: number) => number) =>
          parseDependencies(of)
            // A task that mentions a file before it is made waits for nothing, until its maker overtakes it.
            .all.filter(({ kind }) => kind !== "use")
            .map(({ task, on, kind }) => `${to(task)} ${to(on)} ${kind}`)
            .sort();
        expect(edges(again, (index) => plan.order[index] as number)).toEqual(
          edges(list, (index) => index),
        );
        const ids = again.tasks.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const shape of [/^\d+\.\d+$/, /^T\d+$/]) {
          const tops = ids.filter((id) => shape.test(id));
          const byNumber = tops.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
          expect(tops).toEqual(byNumber);
        }
      }),
      RUNS,
    );
  });
});

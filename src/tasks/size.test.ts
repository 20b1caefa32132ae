import { expect, it } from "vitest";
import { setChecked } from "./edit/tick.ts";
import { parseFields } from "./fields.ts";
import { groupOf } from "./groups.ts";
import type { Task, TaskList } from "./model.ts";
import { parseTasks } from "./parse.ts";

// None of this measures time: what is not linear here does not end before the test's time is up.

const SIZE = 2 ** 18;
const fill = (part: string): string => part.repeat(Math.ceil(SIZE / part.length));

const readAll = (text: string): TaskList => {
  const list = parseTasks(text);
  for (const task of list.tasks.slice(0, 20)) {
    parseFields(list, task);
    groupOf(list, task);
    setChecked(list, task, true);
  }
  return list;
};

const PARTS = [
  ..."[](){}<>*_`~#-+=.:;!|\\/0aT \t\u00A0\r",
  ..."- |* |1. |> |[ ] |[x]|[P]|[a](|**|**a|`a|_a: |1.|a.|a/|a/b.c |:1|<a |<!--|-->|</pre>|# | #".split(
    "|",
  ),
  ..."- [ ] |\r\n|\n\n|-\n|- \n  |```\n|<b>\n".split("|"),
];
const FRAMES: ((part: string) => string)[] = [
  (part) => part,
  (part) => `- [ ] ${part}`,
  (part) => `- [ ] 1.1 [P] ${part}`,
  (part) => `- [ ] 1.1 [P] a\n  - **Files**: ${part}x\n  _Requirements: ${part}x`,
  (part) => `- [ ] 1.1 [P] a\n  ${part}x`,
  (part) => `- ${part}x -`,
  (part) => `# ${part}x\n${part}\n===`,
  (part) => `---\na: ${part}\n${part}`,
];

it.each(PARTS)("reads a long run of %j wherever it is", (part) => {
  for (const frame of FRAMES) {
    const text = frame(fill(part));
    expect(readAll(text).lines.join("")).toBe(text);
  }
});

it("reads a hundred thousand tasks", () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => {
    const phase = i % 1000 === 0 ? `## Phase ${i / 1000}\n` : "";
    return `${phase}- [ ] ${Math.floor(i / 1000)}.${i % 1000} [P] Write src/${i}.ts\n  - **Verify**: \`npm test\`\n`;
  });
  const list = readAll(lines.join(""));
  expect(list.tasks).toHaveLength(100_000);
  const last = list.tasks.at(-1) as Task;
  expect(parseTasks(setChecked(list, last, true)).tasks.at(-1)?.checked).toBe(true);
});

it("reads lists a thousand levels deep", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `${"  ".repeat(i)}- [ ] 1.${i} a\n`);
  expect(readAll(lines.join("")).tasks).toHaveLength(1000);
});

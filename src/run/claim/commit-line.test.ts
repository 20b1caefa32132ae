import { expect, it } from "vitest";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { commitLine } from "./commit-line.ts";

const lineOf = (fields: string, files: readonly string[]): string => {
  const list = parseTasks(`- [ ] 1.1 Add \`it\` here\n${fields}`);
  return commitLine(list, list.tasks[0] as Task, files);
};

it.each([
  ["  - **Commit**: `feat(a): b`\n", "'feat(a): b'"],
  ["  - **Commit**: feat: it's\n", `'feat: it'\\''s'`],
  ["  - **Commit**: `feat: a` or so\n", "'feat: a'"],
  ["", "'1.1 Add it here'"],
])("takes the message from %j", (fields, message) => {
  expect(lineOf(fields, ["a.js"])).toBe(`git add -- a.js && git commit -m ${message} -- a.js`);
});

it("names every file as one word, whatever it is called", () => {
  const line = lineOf("", ["a b", "it's", "-x", "$(touch y)", "`z`"]);
  expect(line).toContain(`-- 'a b' 'it'\\''s' -x '$(touch y)' '\`z\`' &&`);
});

it("stays readable with hundreds of files", () => {
  const line = lineOf(
    "",
    Array.from({ length: 500 }, (_, i) => `f${i}`),
  );
  expect(line.length).toBeLessThan(600);
});

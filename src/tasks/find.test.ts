import { expect, it } from "vitest";
import { findTask } from "./find.ts";
import { parseTasks } from "./parse.ts";

const list = parseTasks(`
- [x] 1.1 done
- [ ] 1.1 open
- [ ] 1.1 open as well
- [x] T002 done
- [x] T002 done as well
- [ ] no id
`);

it.each<[id: string, line: number | undefined]>([
  ["1.1", 3],
  ["T002", 5],
  ["t002", 5],
  ["#6", 7],
  ["6", undefined],
  ["1.10", undefined],
  ["", undefined],
])("finds %j on line %j", (id, line) => {
  expect(findTask(list, id)?.line).toBe(line);
});

import { expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { startLoop } from "../loop.ts";
import { insertTasks, type InsertPosition } from "./insert-tasks.ts";

const list = parseTasks("- [ ] 1.1 a\n- [ ] 1.2 b\n");
const loop = startLoop(null, {}, undefined, now);
const made = (where: InsertPosition, ...fields: string[]) =>
  insertTasks({ list, loop }, list.tasks[1] as Task, where, [
    { id: "2.1", title: "x", fields },
    { id: "2.2", title: "y" },
  ]);

it.each<[where: InsertPosition, expected: string[]]>([
  ["before", ["1.1", "2.1", "2.2", "1.2"]],
  ["after", ["1.1", "1.2", "2.1", "2.2"]],
])("tasks go %s another in their order", (where, expected) => {
  const grown = made(where);
  expect(grown?.list.tasks.map((task) => task.id)).toEqual(expected);
  expect(grown?.added.map((task) => task.id)).toEqual(["2.1", "2.2"]);
});

it("words that would add more than was asked for are refused", () => {
  expect(made("before", "- [ ] 3.1 one more")).toBeUndefined();
  expect(made("before", "```")?.list.tasks).toHaveLength(4);
});

import { assert, pre, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { taskFile } from "../../../test/support/lists.ts";
import { parseDependencies } from "../dependencies.ts";
import { applyOrder } from "../edit/reorder.ts";
import { lintTasks } from "../lint/lint.ts";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { isParallel } from "../tags.ts";
import { planOrder } from "./plan-order.ts";

const RUNS = { numRuns: 400 };
const wall = (task: Task): boolean => task.checked || task.tags.includes("VERIFY");

describe("a plan", () => {
  it("moves nothing out of its phase, across a wall, or before what it depends on", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        const { tasks, order } = planOrder(list);
        expect(order.toSorted((a, b) => a - b)).toEqual(list.tasks.map(({ index }) => index));
        for (const [at, index] of order.entries()) {
          expect(list.tasks[index]?.phase).toBe(list.tasks[at]?.phase);
        }
        let walls = 0;
        for (const [at, task] of list.tasks.entries()) {
          if (!wall(task)) continue;
          walls++;
          expect(tasks[at]?.to).toBe(at);
          const before = order.slice(0, at).toSorted((a, b) => a - b);
          expect(before).toEqual(list.tasks.slice(0, at).map(({ index }) => index));
        }
        for (const { task, on } of parseDependencies(list).all) {
          const [waits, first] = [tasks[task], tasks[on]];
          if (waits === undefined || first === undefined || first.from > waits.from) continue;
          expect(first.to).toBeLessThanOrEqual(waits.to);
        }
        return walls >= 0;
      }),
      RUNS,
    );
  });

  it("keeps parallel runs together, in their order, and apart from other runs", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        const { order } = planOrder(list);
        const runs = (tasks: readonly Task[]): string[] => {
          const found: Task[][] = [];
          for (const [i, task] of tasks.entries()) {
            if (!isParallel(task)) continue;
            const before = tasks[i - 1];
            if (before !== undefined && isParallel(before) && before.phase === task.phase) {
              found.at(-1)?.push(task);
            } else found.push([task]);
          }
          return found.map((run) => run.map(({ index }) => index).join()).sort();
        };
        expect(runs(order.map((index) => list.tasks[index] as Task))).toEqual(runs(list.tasks));
      }),
      RUNS,
    );
  });

  it.each([false, true])("applied, is one that changes nothing (renumber: %s)", (renumber) => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        // Renumbering gives a meaning to references that had none, or more than one.
        const codes = renumber ? lintTasks(list).map(({ code }) => code) : [];
        pre(!codes.some((code) => /duplicate-id|unknown-dependency/.test(code)));
        const plan = planOrder(list);
        const once = applyOrder(list, plan, { renumber }).text;
        const again = parseTasks(once);
        const second = planOrder(again);
        expect(second.order).toEqual(again.tasks.map(({ index }) => index));
        expect(second.changes).toBe(false);
        expect(applyOrder(again, second, { renumber }).text).toBe(once);
        const withoutIds = (task: Task | undefined) => task?.title.replace(/\d+\.\d+|T\d+/g, "ID");
        expect(again.tasks.map(withoutIds)).toEqual(
          plan.order.map((index) => withoutIds(list.tasks[index])),
        );
        expect(second.tasks.map(({ total }) => total)).toEqual(
          plan.order.map((index) => plan.tasks[index]?.total),
        );
      }),
      RUNS,
    );
  });
});

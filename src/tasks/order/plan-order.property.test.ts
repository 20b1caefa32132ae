import { assert, pre, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../../test/support/full.ts";
import { taskFile } from "../../../test/support/lists.ts";
import { parseDependencies } from "../dependencies.ts";
import { findRoots } from "../edit/movable-blocks.ts";
import { applyOrder } from "../edit/reorder.ts";
import { lintTasks } from "../lint/lint.ts";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { isParallel } from "../tags.ts";
import { planOrder } from "./plan-order.ts";

const RUNS = { numRuns: runsOf(400) };
const wall = (task: Task): boolean => task.checked || task.tags.includes("VERIFY");

describe.each([
  ["as marked", false],
  ["by score", true],
])("a plan %s", (_, byScore) => {
  it("moves nothing out of its phase, across a wall, or before what it depends on", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(text);
        const { tasks, order } = planOrder(list, { byScore });
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
        const { order } = planOrder(list, { byScore });
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
        const plan = planOrder(list, { byScore });
        const once = applyOrder(list, plan, { renumber }).text;
        const again = parseTasks(once);
        const second = planOrder(again, { byScore });
        expect(second.order).toEqual(again.tasks.map(({ index }) => index));
        expect(second.moves).toBe(false);
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

const DEPENDENCIES = /\[FIX [^\]]+\] |(?:depends|Depends|Unblocks|after)\b/g;

describe("the author's order", () => {
  it("stands where nothing is marked or stated, whatever the words and files", () => {
    assert(
      property(taskFile, (text) => {
        const unmarked = text.replace(DEPENDENCIES, "").replace(/\[[A-Z]+(?:-VALUE)?\] /g, "");
        const list = parseTasks(unmarked);
        const plan = planOrder(list);
        expect(plan.moves).toBe(false);
        expect(applyOrder(list, plan, { renumber: false }).text).toBe(unmarked);
      }),
      RUNS,
    );
  });

  it("stands between equals: only a higher tag overtakes", () => {
    assert(
      property(taskFile, (text) => {
        const list = parseTasks(
          text.replace(DEPENDENCIES, "").replace(/\[P\] |`?src\/\w\.ts`?/g, ""),
        );
        const standing = ({ tags }: Task): number => {
          const at = ["BLOCKER", "RISKY", "HIGH-VALUE", "", "TRIVIAL"].findIndex((tag) =>
            tags.includes(tag),
          );
          return at === -1 ? 3 : at;
        };
        const order = planOrder(list).order.map((index) => list.tasks[index] as Task);
        const roots = findRoots(list);
        const tops = order.filter(({ index }) => roots[index] === index);
        for (const [i, later] of tops.entries()) {
          for (const earlier of tops.slice(0, i)) {
            if (earlier.index > later.index)
              expect(standing(earlier)).toBeLessThan(standing(later));
          }
        }
      }),
      RUNS,
    );
  });
});

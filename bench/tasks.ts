import { setChecked } from "../src/tasks/edit/tick.ts";
import type { Task } from "../src/tasks/model.ts";
import { parseTasks } from "../src/tasks/parse.ts";
import { fitGrowth, type Growth, showExponent } from "./fit.ts";
import { progress, type Section, tableOf } from "./report.ts";
import { taskList } from "./scene.ts";

const SIZES = [100, 1000, 10_000, 100_000] as const;

function best(work: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 7; i++) {
    const began = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}

/** Reading a list and ticking a box in its middle, in one process, for lists of growing length. */
export function benchTasks(): Section {
  const rows = SIZES.map((count, i) => {
    progress("task lists", i, SIZES.length);
    const text = taskList(count);
    const list = parseTasks(text);
    const middle = list.tasks[Math.floor(count / 2)] as Task;
    return {
      count,
      parse: best(() => parseTasks(text)),
      edit: best(() => setChecked(list, middle, true)),
    };
  });
  progress("task lists", SIZES.length, SIZES.length);
  const growth = (key: "parse" | "edit"): Growth =>
    fitGrowth(rows.map((row) => ({ size: row.count, milliseconds: row[key] })));
  const parse = growth("parse");
  const edit = growth("edit");
  return {
    title: "Task lists",
    text: `${tableOf(
      ["tasks", "parse, ms here", "tick one, ms here"],
      rows.map((row) => [
        row.count.toLocaleString("en"),
        row.parse.toFixed(2),
        row.edit.toFixed(2),
      ]),
    )}

Parsing grows as n^${showExponent(parse)} (${parse.verdict}), ticking as n^${showExponent(edit)} (${edit.verdict}).
`,
    over:
      parse.verdict === "worse than linear" ? [`parsing grows as n^${showExponent(parse)}`] : [],
  };
}

import type { LineDiagnostic } from "../../text/diagnostic.ts";
import { addTo } from "../../text/group.ts";
import { continuesRun } from "../edit/movable-blocks.ts";
import { parseFiles } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { isParallel } from "../tags.ts";
import { lintBoxes } from "./boxes.ts";
import { lintDependencies } from "./dependencies.ts";
import { lintFences, lintHeredocs } from "./fences.ts";
import { lintIds } from "./ids.ts";
import { lintVerify } from "./verify.ts";

/** A problem on a line of `tasks.md`. */
export interface TaskDiagnostic extends LineDiagnostic {
  readonly severity: "info" | "warning" | "error";
}

/** What is wrong with a task list, from top to bottom. */
export function lintTasks(list: TaskList): TaskDiagnostic[] {
  const found = [
    ...lintEmpty(list),
    ...lintIds(list),
    ...lintDependencies(list),
    ...lintTitles(list),
    ...lintVerify(list),
    ...lintParallel(list),
    ...lintFences(list),
    ...lintHeredocs(list),
    ...lintBoxes(list),
  ];
  // The sort is stable, so problems on one line stay in the order above.
  return found.sort((a, b) => a.line - b.line);
}

const lintEmpty = ({ tasks }: TaskList): TaskDiagnostic[] =>
  tasks.length > 0
    ? []
    : [
        {
          severity: "error",
          code: "no-tasks",
          message: "There is no task in this file.",
          fix: "Write each task as a list item with a box and an id: `- [ ] 1.1 title`.",
          line: 1,
        },
      ];

const lintTitles = (list: TaskList): TaskDiagnostic[] =>
  list.tasks
    .filter(({ title }) => title.trim() === "")
    .map(({ id, line }) => ({
      severity: "warning",
      code: "empty-title",
      message: `${id} has no title.`,
      fix: "Say after the id what needs to be done, or delete the line.",
      line,
    }));

/** Members of a run that name the same file are handed out one after the other. */
function lintParallel(list: TaskList): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  let owners = new Map<string, Task>();
  for (const task of list.tasks) {
    if (!continuesRun(list, task.index)) owners = new Map();
    const shared = new Map<Task, string[]>();
    for (const file of isParallel(task) ? parseFiles(list, task) : []) {
      const owner = owners.get(file);
      if (owner === undefined) owners.set(file, task);
      else addTo(shared, owner, file);
    }
    for (const [owner, files] of shared) {
      found.push({
        severity: "warning",
        code: "parallel-shares-file",
        message: `${owner.id} and ${task.id} are both marked [P] but share ${files.join(", ")}.`,
        fix: `Remove [P] from ${task.id}, or give each its own file; until then they will not run in parallel.`,
        line: task.line,
      });
    }
  }
  return found;
}

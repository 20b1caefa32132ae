import { type Dependency, parseDependencies } from "../dependencies.ts";
import type { Task, TaskList } from "../model.ts";
import { findCycles, formatCycle } from "../order/cycles.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** References to tasks that do not exist, form a cycle, or come too late. */
export function lintDependencies(list: TaskList): TaskDiagnostic[] {
  const { all, unknown } = parseDependencies(list);
  const stated = all.filter(({ kind }) => kind === "stated");
  const found: TaskDiagnostic[] = unknown.map(({ id, line }) => ({
    severity: "error",
    code: "unknown-dependency",
    message: `There is no task ${id}.`,
    fix: "Correct the id or remove the reference.",
    line,
  }));

  const cycles = findCycles(list.tasks.length, stated);
  const inCycle = new Set(cycles.flat());
  for (const cycle of cycles) found.push(reportCycle(list, cycle));
  for (const one of stated) {
    if (one.on > one.task && !inCycle.has(one)) found.push(...reportLate(list, one));
  }
  return found;
}

function reportCycle(list: TaskList, cycle: readonly Dependency[]): TaskDiagnostic {
  const [first] = cycle as [Dependency];
  const ids = cycle.map(({ task }) => (list.tasks[task] as Task).id);
  return {
    severity: "error",
    code: "dependency-cycle",
    message:
      cycle.length === 1
        ? `${ids[0]} depends on itself.`
        : `These tasks depend on each other in a cycle: ${formatCycle(ids)}.`,
    fix: "Remove one of the dependencies, or split a task so that part of it can come first.",
    line: first.line,
  };
}

/** The loop works from top to bottom, whatever the words say. */
function reportLate(list: TaskList, { task, on, line }: Dependency): TaskDiagnostic[] {
  const waits = list.tasks[task] as Task;
  const late = list.tasks[on] as Task;
  if (waits.checked || late.checked) return [];
  return [
    {
      severity: "warning",
      code: "late-dependency",
      message: `${waits.id} depends on ${late.id}, which comes after it.`,
      fix:
        waits.phase === late.phase
          ? `Put ${late.id} first; \`tasks prioritize --write\` does it unless a [VERIFY] or a finished task is in between.`
          : `Move ${late.id} to an earlier phase, or ${waits.id} to a later one.`,
      line,
    },
  ];
}

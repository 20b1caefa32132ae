import { findCycles } from "../order/cycles.ts";
import { type Dependency, parseDependencies } from "../dependencies.ts";
import type { TaskDiagnostic } from "./lint.ts";
import type { Task, TaskList } from "../model.ts";

/** Words that name no task, go in a circle, or ask for what comes too late. */
export function lintDependencies(list: TaskList): TaskDiagnostic[] {
  const { all, unknown } = parseDependencies(list);
  const said = all.filter(({ kind }) => kind === "said");
  const found: TaskDiagnostic[] = unknown.map(({ id, line }) => ({
    severity: "error",
    code: "unknown-dependency",
    message: `There is no task ${id}.`,
    fix: "Name a task of this file, or take the reference out.",
    line,
  }));

  const cycles = findCycles(list.tasks.length, said);
  const inCycle = new Set(cycles.flat());
  for (const cycle of cycles) found.push(cycleFound(list, cycle));
  for (const one of said) {
    if (one.on > one.task && !inCycle.has(one)) found.push(...lateFound(list, one));
  }
  return found;
}

function cycleFound(list: TaskList, cycle: readonly Dependency[]): TaskDiagnostic {
  const [first] = cycle as [Dependency];
  const ids = cycle.map(({ task }) => (list.tasks[task] as Task).id);
  return {
    severity: "error",
    code: "dependency-cycle",
    message:
      cycle.length === 1
        ? `${ids[0]} depends on itself.`
        : `These wait for one another: ${circle(ids)}.`,
    fix: "Take one of the dependencies out, or split a task so that a part of it can come first.",
    line: first.line,
  };
}

function circle(ids: readonly string[]): string {
  const shown = ids.length > 8 ? [...ids.slice(0, 7), `… (${ids.length - 7} more)`] : ids;
  return [...shown, ids[0]].join(" → ");
}

/** The loop goes from top to bottom, whatever the words say. */
function lateFound(list: TaskList, { task, on, line }: Dependency): TaskDiagnostic[] {
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
          ? `Move ${late.id} up; \`tasks prioritize --write\` does it where no [VERIFY] or done task stands between.`
          : `Move ${late.id} into an earlier phase, or ${waits.id} into a later one.`,
      line,
    },
  ];
}

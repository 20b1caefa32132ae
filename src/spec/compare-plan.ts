import type { TaskList } from "../tasks/model.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { describeIntent, type SpecIntent } from "./intent.ts";

export interface PlanDiagnostic extends LineDiagnostic {
  readonly severity: "warning";
}

/** More tasks than this is more ceremony than the work deserves. */
const MAX_TASKS = { trivial: 10, "bug-fix": 25, small: 12 } as const;

const REPRODUCES = /reproduc|\brepro\b|failing test|\bfails? (?:today|because|now)\b/i;

/** Where a plan does not fit its intent. The intent may be wrong, so these are only warnings. */
export function comparePlan(
  found: SpecIntent,
  { tasks, phases }: TaskList,
  { changeIntent, small }: { readonly changeIntent: string; readonly small: boolean },
): PlanDiagnostic[] {
  const { id } = found.intent;
  const way = small ? " and takes the short way" : "";
  const why = `The goal ${found.by === "goal" ? "" : "is "}${describeIntent(found)}${way}`;
  const kind = id === "trivial" ? id : small ? "small" : id === "bug-fix" ? id : undefined;
  const max = kind === undefined ? Infinity : MAX_TASKS[kind];
  const reproduces = tasks.some(
    (task) =>
      task.tags.includes("RED") ||
      REPRODUCES.test(task.title) ||
      REPRODUCES.test(phases[task.phase]?.title ?? ""),
  );
  const warning = { severity: "warning", line: tasks[0]?.line ?? 1 } as const;
  return [
    ...(tasks.length > max
      ? [
          {
            ...warning,
            code: "plan-too-large",
            message: `${why}, but the plan has ${tasks.length} tasks.`,
            fix: `Merge tasks to ${max} or fewer, or say what kind of work it is: ${changeIntent}.`,
          },
        ]
      : []),
    ...(id === "bug-fix" && tasks.length > 0 && !reproduces
      ? [
          {
            ...warning,
            code: "bug-not-reproduced",
            message: `${why}, but no task reproduces the bug.`,
            fix: `Begin with a task whose Verify shows that it fails today, or say what kind of work it is: ${changeIntent}.`,
          },
        ]
      : []),
  ];
}

import { oneLine } from "../../text/template.ts";
import { type Field, type FieldName, isField, readFields } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { isVerifyTask } from "../tags.ts";
import { parseVerify } from "../verify/verify.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** A task of the specum dialect has these besides its Verify; a task without any of them is a one-liner. */
const OTHER_FIELDS: readonly FieldName[] = ["do", "files", "doneWhen", "commit"];

/** Tasks that nothing would prove. */
export function lintVerify(list: TaskList): TaskDiagnostic[] {
  return list.tasks.flatMap((task) => {
    // A finished task needs no more proof, and Spec Kit's dialect has no fields.
    if (task.checked || /^T-?\d/i.test(task.id)) return [];
    const fields = readFields(list, task);
    const find = (name: FieldName) => fields.findLast((one) => isField(one.name, name));
    const field = find("verify");
    if (field !== undefined) return lintField(task, field);
    if (!OTHER_FIELDS.some(find) && !isVerifyTask(task)) return [];
    return {
      severity: "warning",
      code: "missing-verify",
      message: `${task.id} does not say how to verify it.`,
      fix: "Add a **Verify**: line with a command that succeeds only when the task is done.",
      line: task.line,
    };
  });
}

function lintField({ id }: Task, { value, line }: Field): TaskDiagnostic[] {
  const { checks, nothing } = parseVerify(value);
  if (nothing !== undefined) {
    const { kind, why, fix } = nothing;
    return [
      {
        severity: "warning",
        code: kind === "prose" || kind === "empty" ? "verify-is-prose" : "verify-is-manual",
        message:
          kind === "empty"
            ? `The Verify of ${id} is empty.`
            : `The Verify of ${id} is not run, because ${why}: "${oneLine(value, 60)}".`,
        fix,
        line,
      },
    ];
  }
  return checks.flatMap(({ command, doubt }) =>
    doubt === undefined
      ? []
      : {
          severity: "warning",
          code: doubt.kind === "cannot-fail" ? "verify-cannot-fail" : "verify-unclear",
          message: `The Verify of ${id} proves nothing, because ${doubt.why}: "${oneLine(command, 60)}".`,
          fix: doubt.fix,
          line,
        },
  );
}

import { oneLine, showCommand } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import { type Field, fieldMeant, type FieldName, isField, readFields } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { isGuard, isRed, isVerifyTask } from "../tags.ts";
import { isInverted } from "../verify/inverted.ts";
import { parseVerify } from "../verify/verify.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** A task of the specum dialect has these besides its Verify; a task without any of them is a one-liner. */
const OTHER_FIELDS: readonly FieldName[] = ["do", "files", "doneWhen", "commit"];

/** Tasks that nothing would prove. */
export function lintVerify(list: TaskList): TaskDiagnostic[] {
  const bare: Task[] = [];
  // A finished task needs no more proof.
  const open = list.tasks.filter(({ checked }) => !checked);
  const found = open.flatMap((task): TaskDiagnostic[] => {
    const fields = readFields(list, task);
    const find = (name: FieldName) => fields.findLast((one) => isField(one.name, name));
    const field = find("verify");
    const misspelt = lintNames(task, fields);
    if (field !== undefined) return [...misspelt, ...lintField(task, field)];
    // Spec Kit's dialect has no fields.
    const isPlain = /^T-?\d/i.test(task.id) || !OTHER_FIELDS.some(find);
    if (isPlain && !isVerifyTask(task) && !isGuard(task)) bare.push(task);
    else
      misspelt.push(
        report(
          "missing-verify",
          task,
          `${task.id} does not say ${isGuard(task) ? "what it guards" : "how to verify it"}.`,
        ),
      );
    return misspelt;
  });
  const [first] = bare;
  if (first === undefined) return found;
  const ids = bare.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = bare.length - ids.length;
  const named = `${ids.join(", ")}${more > 0 ? ` and ${counted(more, "more task")}` : ""}`;
  const message = `Without a **Verify**, only the agent's word says that a task is done: ${named}.`;
  return [...found, report("tasks-without-verify", first, message)];
}

const MAX_NAMED = 10;

const report = (
  code: "missing-verify" | "tasks-without-verify",
  { line }: Task,
  message: string,
): TaskDiagnostic => ({
  severity: "warning",
  code,
  message,
  fix: "Add a **Verify**: line with a command that succeeds only when the task is done.",
  line,
});

const lintNames = ({ id }: Task, fields: readonly Field[]): TaskDiagnostic[] =>
  fields.flatMap(({ name, line }) => {
    const meant = fieldMeant(name);
    if (meant === undefined) return [];
    return [
      {
        severity: "warning",
        code: "unknown-field",
        message: `${id} has a field "${name}", which is not read.`,
        fix: `If it is meant to be "${meant}", write it so; if not, leave it.`,
        line,
      },
    ];
  });

function lintField(task: Task, { value, line }: Field): TaskDiagnostic[] {
  const { id } = task;
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
  return checks.flatMap((check): TaskDiagnostic[] => {
    const { command, doubt } = check;
    if (doubt !== undefined)
      return [
        {
          severity: "warning",
          code: doubt.kind === "cannot-fail" ? "verify-cannot-fail" : "verify-unclear",
          message: `The Verify of ${id} proves nothing, because ${doubt.why}: "${showCommand(command, 60)}".`,
          fix: doubt.fix,
          line,
        },
      ];
    if (isRed(task) || !isInverted(check)) return [];
    return [
      {
        severity: "warning",
        code: "verify-is-inverted",
        message: `The Verify of ${id} passes only while something fails ("${showCommand(command, 60)}"), so it fails once the work is done.`,
        fix: "If the task writes a failing test, tag it [RED]; if not, write a command that passes once the work is done.",
        line,
      },
    ];
  });
}

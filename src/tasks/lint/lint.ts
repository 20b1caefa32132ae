import { isCommand } from "../verify-command.ts";
import { parseFields, parseFiles } from "../fields.ts";
import { lintDependencies } from "./dependencies.ts";
import { lintFences } from "./fences.ts";
import { lintIds } from "./ids.ts";
import type { Task, TaskList } from "../model.ts";
import { runsOn } from "../edit/movable-blocks.ts";

type LintCode =
  | "box-in-fence"
  | "dependency-cycle"
  | "duplicate-id"
  | "empty-title"
  | "late-dependency"
  | "missing-verify"
  | "numbering-gap"
  | "parallel-shares-file"
  | "unclosed-fence"
  | "unknown-dependency"
  | "verify-is-prose";

/** A `Diagnostic` of core that stands on a line of `tasks.md`. */
export interface TaskDiagnostic {
  readonly severity: "info" | "warning" | "error";
  readonly code: LintCode;
  readonly message: string;
  readonly fix: string;
  readonly line: number;
}

/** What is wrong with a task list, from top to bottom. */
export function lintTasks(list: TaskList): TaskDiagnostic[] {
  const found = [
    ...lintIds(list),
    ...lintDependencies(list),
    ...lintTitles(list),
    ...lintVerify(list),
    ...lintParallel(list),
    ...lintFences(list),
  ];
  // The sort is stable: on one line the order above holds.
  return found.sort((a, b) => a.line - b.line);
}

const lintTitles = (list: TaskList): TaskDiagnostic[] =>
  list.tasks
    .filter(({ title }) => title.trim() === "")
    .map(({ id, line }) => ({
      severity: "warning",
      code: "empty-title",
      message: `${id} has no title.`,
      fix: "Say behind the id what is to be done, or delete the line.",
      line,
    }));

/** What a task of the specum dialect says besides its Verify; a task with none of it is a one-liner. */
const FIELDS = ["do", "files", "done when", "commit"];

function lintVerify(list: TaskList): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  for (const task of list.tasks) {
    // What is done needs no more proof, and Spec Kit's dialect has no fields.
    if (task.checked || /^T-?\d/i.test(task.id)) continue;
    const fields = parseFields(list, task);
    const verify = fields.get("verify");
    if (verify === undefined && FIELDS.some((name) => fields.has(name))) {
      found.push({
        severity: "warning",
        code: "missing-verify",
        message: `${task.id} does not say how to verify it.`,
        fix: "Add a line **Verify**: with a command that succeeds only when the task is done.",
        line: task.line,
      });
    } else if (verify !== undefined && !isCommand(verify)) {
      found.push({
        severity: "warning",
        code: "verify-is-prose",
        message:
          verify === ""
            ? `The Verify of ${task.id} is empty.`
            : `The Verify of ${task.id} is no command: "${short(verify)}".`,
        fix: "Write a command in backticks that exits with 0 only when the task is done.",
        line: verifyLine(list, task),
      });
    }
  }
  return found;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

function verifyLine(list: TaskList, task: Task): number {
  for (let line = task.endLine; line > task.line; line--) {
    if (/^\s*(?:[-*+]\s+)?(?:\*\*|_)Verify\b/.test(list.lines[line - 1] as string)) return line;
  }
  return task.line;
}

/** Members of a run that name the same file; they are handed out one after the other. */
function lintParallel(list: TaskList): TaskDiagnostic[] {
  const found: TaskDiagnostic[] = [];
  let owners = new Map<string, Task>();
  for (const task of list.tasks) {
    if (!runsOn(list, task.index)) owners = new Map();
    const shared = new Map<Task, string[]>();
    for (const file of task.tags.includes("P") ? parseFiles(list, task) : []) {
      const owner = owners.get(file);
      if (owner === undefined) owners.set(file, task);
      else shared.set(owner, [...(shared.get(owner) ?? []), file]);
    }
    for (const [owner, files] of shared) {
      found.push({
        severity: "warning",
        code: "parallel-shares-file",
        message: `${owner.id} and ${task.id} are both [P] and name ${files.join(", ")}.`,
        fix: `Take [P] off ${task.id}, or give each its own file: until then they do not run side by side.`,
        line: task.line,
      });
    }
  }
  return found;
}

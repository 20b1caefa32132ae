import { lintPlan, openTaskFile } from "../../../../engine/task-file.ts";
import { requireTask } from "../../../../engine/with-run.ts";
import { taskText } from "../../../../tasks/edit/tick.ts";
import { fieldOf, parseFields, parseFiles } from "../../../../tasks/fields.ts";
import type { Task, TaskList } from "../../../../tasks/model.ts";
import { locate } from "../../../../tasks/position.ts";
import { isCommand } from "../../../../tasks/verify-command.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import { shorten, widthOf } from "../../columns.ts";
import { type Command, EXIT } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";

const TARGET = "[spec|path]";

export const tasksList: Command = {
  name: "tasks list",
  summary: "the tasks of a spec, or of a tasks.md",
  args: [TARGET],
  group: "look",
  run(context, input) {
    const { list, shown } = openTaskFile(context, nameOf(input, input.args[0]));
    const { bold, dim, good } = paint(context.colour);
    const { open, total } = locate(list);
    const width = Math.max(0, ...list.tasks.map(({ id }) => id.length));
    const rows = list.tasks.map(({ id, title, tags, checked, line }) => {
      const marks = tags.map((tag) => `[${tag}] `).join("");
      const fixed = widthOf(marks) + width + `${line}`.length + 5;
      const room = context.width === undefined ? 300 : Math.max(20, context.width - fixed);
      return `${checked ? good("✓") : "·"} ${bold(id.padEnd(width))} ${dim(marks)}${shorten(title, room)} ${dim(`:${line}`)}`;
    });
    return {
      text: [...rows, dim(`${shown}: ${total - open.length} of ${total} done`)].join("\n"),
      json: {
        ok: true,
        path: shown,
        total,
        done: total - open.length,
        tasks: list.tasks.map((task) => describe(list, task)),
      },
    };
  },
};

export const tasksShow: Command = {
  name: "tasks show",
  summary: "one task with its fields and notes",
  args: ["<task>", TARGET],
  group: "look",
  run(context, input) {
    const { list, shown } = openTaskFile(context, nameOf(input, input.args[1]));
    const task = requireTask(list, input.args[0] as string);
    return {
      verbatim: true,
      text: `${clean(taskText(list, task))}\n${paint(context.colour).dim(`${shown}:${task.line}`)}`,
      json: {
        ok: true,
        path: shown,
        task: {
          ...describe(list, task),
          fields: Object.fromEntries(parseFields(list, task)),
          text: taskText(list, task),
        },
      },
    };
  },
};

export const tasksLint: Command = {
  name: "tasks lint",
  summary: "what is wrong with a task list, each with its line and its fix",
  args: [TARGET],
  group: "look",
  details:
    "Exits with 1 when there is an error, so it can guard a pull request. Warnings and notes do not fail. The list of a\nspec is also compared with what kind of work its goal is.",
  run(context, input) {
    const file = openTaskFile(context, nameOf(input, input.args[0]));
    const { list, shown } = file;
    const { dim, bad, warn } = paint(context.colour);
    const findings = lintPlan(file);
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const colours = { error: bad, warning: warn, info: dim, ok: dim };
    const rows = findings.map(
      ({ severity, code, message, fix, line }) =>
        `${shown}:${line}: ${colours[severity](`${severity} ${code}`)} ${oneLine(message, 300)}\n    → ${oneLine(fix, 300)}`,
    );
    const tasks = list.tasks.length;
    const withCommand = list.tasks.filter((task) =>
      isCommand(fieldOf(list, task, "verify") ?? ""),
    ).length;
    const count = `${counted(tasks, "task")}, ${withCommand} with a command; ${counted(errors, "error")}, ${counted(findings.length - errors, "other finding")}`;
    return {
      code: errors > 0 ? EXIT.refused : EXIT.ok,
      text: [...rows, dim(`${shown}: ${count}`)].join("\n"),
      json: { ok: errors === 0, path: shown, tasks, withCommand, findings },
    };
  },
};

const describe = (list: TaskList, task: Task) => ({
  id: task.id,
  title: task.title,
  checked: task.checked,
  tags: task.tags,
  line: task.line,
  endLine: task.endLine,
  phase: list.phases[task.phase]?.title ?? null,
  files: parseFiles(list, task),
});

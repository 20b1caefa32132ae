import { Refusal } from "../../../../engine/refusal.ts";
import {
  isRunning,
  openTaskFile,
  type TaskFile,
  writeTaskFile,
} from "../../../../engine/task-file.ts";
import { applyOrder, type Reordered } from "../../../../tasks/edit/reorder.ts";
import { lintTasks } from "../../../../tasks/lint/lint.ts";
import type { Task, TaskList } from "../../../../tasks/model.ts";
import { type Plan, type PlannedTask, planOrder } from "../../../../tasks/order/plan-order.ts";
import { oneLine } from "../../../../text/template.ts";
import { type Command, EXIT } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const tasksPrioritize: Command = {
  name: "tasks prioritize",
  summary: "order the tasks of each phase by what they unblock, their risk and their value",
  args: ["[spec|path]"],
  group: "look",
  options: {
    write: { type: "boolean", summary: "rearrange the file, with tags and notes that say why" },
    renumber: {
      type: "boolean",
      summary: "with --write: renumber the tasks, and the tags and dependencies that name them",
    },
    check: { type: "boolean", summary: "change nothing; exit with 1 if the order could be better" },
  },
  details: `Score = unblocks (1-5) × 3 + uncertainty (1-3) × 2 + impact (1-3) × 1, and +6 [BLOCKER], +4 [RISKY], +2 [HIGH-VALUE],
-2 [TRIVIAL]; the weights are settings. Tasks stay in their phase, after what they depend on and on their side of a
[VERIFY]. A second run changes nothing.`,
  run(context, input) {
    const file = openTaskFile(context, nameOf(input, input.args[0]));
    const plan = planOrder(file.list, file.settings.weights);
    const style = paint(context.colour);
    const writes = input.options["write"] === true;
    const renumber = input.options["renumber"] === true;
    if (writes && renumber) refuseUnclear(file);
    const { text, mentions } = applyOrder(file.list, plan, { renumber: writes && renumber });
    const written = writes && text !== file.list.lines.join("");
    if (written) writeTaskFile(file, text);
    const verdict = written
      ? `${file.shown} is ${plan.changes ? "rearranged" : "renumbered"}`
      : plan.changes
        ? `${file.shown} could be in a better order; --write applies this`
        : `${file.shown} is in order`;
    return {
      code: input.options["check"] === true && plan.changes ? EXIT.refused : EXIT.ok,
      text: [
        ...rows(file.list, plan, style),
        ...held(plan, style),
        style.bold(verdict),
        ...mentionLine(file.shown, mentions, style),
      ].join("\n"),
      json: {
        ok: input.options["check"] !== true || !plan.changes,
        path: file.shown,
        written,
        mentions,
        ...plan,
      },
    };
  },
};

/** Only a person can tell what a number in a sentence means. */
function mentionLine(shown: string, mentions: Reordered["mentions"], { warn }: Paint): string[] {
  const places = [...new Set(mentions.map(({ line }) => `${shown}:${line}`))];
  if (places.length === 0) return [];
  return [warn(`These lines mention renumbered tasks; check them: ${places.join(", ")}`)];
}

/** Renumbering would give a new meaning to a reference that fits two tasks, or none. */
function refuseUnclear(file: TaskFile): void {
  const { list, shown } = file;
  if (isRunning(file)) {
    throw new Refusal(
      "refused",
      `a run of ${shown} is on and knows its tasks by id`,
      "renumber before implement, or after cancel",
    );
  }
  const unclear = lintTasks(list).find(
    ({ code }) => code === "duplicate-id" || code === "unknown-dependency",
  );
  if (unclear !== undefined) {
    throw new Refusal("refused", `${shown}:${unclear.line}: ${unclear.message}`, unclear.fix);
  }
}

function rows(list: TaskList, plan: Plan, { bold, dim, accent }: Paint): string[] {
  const byIndex = new Map(plan.tasks.map((task) => [task.index, task]));
  return plan.order.map((index) => {
    const task = list.tasks[index] as Task;
    const planned = byIndex.get(index) as PlannedTask;
    const { unblocks, uncertainty, impact, tags } = planned.breakdown;
    const moved =
      planned.to === planned.from ? " " : planned.to < planned.from ? accent("↑") : accent("↓");
    const added = planned.tagsToAdd.map((tag) => ` +[${tag}]`).join("");
    const sum = dim(
      `unblocks ${unblocks}, uncertainty ${uncertainty}, impact ${impact}, tags ${tags}`,
    );
    return `${moved} ${String(planned.total).padStart(3)} ${bold(task.id)} ${oneLine(task.title, 60)}${accent(added)}  ${sum}`;
  });
}

const held = (plan: Plan, { warn }: Paint): string[] =>
  plan.held.map(({ line, reason }) =>
    warn(
      `the tasks from line ${line} stay as they are: ${reason === "cycle" ? "they depend on each other in a cycle" : "parallel groups would run together"}`,
    ),
  );

import { Refusal } from "../../../../engine/refusal.ts";
import { resolveHome } from "../../../../engine/resolve-spec.ts";
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
import type { Command } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const tasksPrioritize: Command = {
  summary:
    "put the tasks of each phase in the order that their tags, notes and dependencies ask for",
  args: ["[spec|path]"],
  options: {
    write: { writes: true, summary: "rearrange the file" },
    renumber: {
      summary: "with --write: renumber the tasks, and the tags and dependencies that name them",
    },
    check: { summary: "change nothing; exit with 1 if a task would move" },
    "by-score": { summary: "sort by score instead; with --write, add tags and notes that say why" },
  },
  details: `[BLOCKER] comes first, then [RISKY], [HIGH-VALUE], tasks without a tag, [TRIVIAL]. A note \`> Unblocks:\` that names
two tasks counts as [BLOCKER], \`> Uncertain:\` as [RISKY]. Otherwise your order stands; keywords and shared files only
suggest tags. Tasks stay in their phase, on their side of a [VERIFY], after what they depend on and after the task that
creates a file they name. A second run changes nothing. With --by-score, keywords and shared files count: score = unblocks
(1-5) × 3 + uncertainty (1-3) × 2 + impact (1-3) × 1, and +6 [BLOCKER], +4 [RISKY], +2 [HIGH-VALUE], -2 [TRIVIAL]; the
weights are settings.`,
  run(context, input) {
    const file = openTaskFile(context, nameOf(input, input.args[0]), resolveHome);
    const byScore = input.options["by-score"] === true;
    const plan = planOrder(file.list, { byScore, weights: file.settings.weights });
    const style = paint(context.colour);
    const writes = input.options["write"] === true;
    if (writes && file.spec === undefined && context.caller.authority === "agent")
      throw new Refusal(
        "refused",
        `${file.shown} was named by its path`,
        "name the spec instead: a file may be anywhere, and its run may be on",
      );
    const renumber = input.options["renumber"] === true;
    if (writes && renumber) refuseUnclear(file);
    const { text, mentions } = applyOrder(file.list, plan, { renumber: writes && renumber });
    const changes = text !== file.list.lines.join("");
    const written = writes && changes;
    if (written) writeTaskFile(file, text);
    return {
      ok: input.options["check"] !== true || !plan.moves,
      text: [
        ...(plan.moves || byScore ? rows(file.list, plan, byScore, style) : []),
        ...held(plan, style),
        ...suggested(plan, style),
        style.bold(`${file.shown} ${verdict(plan, changes, written)}`),
        ...mentionLine(file.shown, mentions, style),
      ].join("\n"),
      json: {
        path: file.shown,
        written,
        mentions,
        ...plan,
      },
    };
  },
};

function verdict({ moves }: Plan, changes: boolean, written: boolean): string {
  if (written) return moves ? "is rearranged" : "keeps its order; ids, tags or notes are changed";
  if (moves)
    return "could be in a better order; --write applies it, with --renumber the ids follow";
  return changes ? "is in order; --write adds tags and notes" : "is in order";
}

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

function rows(
  list: TaskList,
  plan: Plan,
  byScore: boolean,
  { bold, dim, accent }: Paint,
): string[] {
  return plan.order.map((index) => {
    const task = list.tasks[index] as Task;
    const { from, to, total, breakdown, tagsToAdd } = plan.tasks[index] as PlannedTask;
    const moved = to === from ? " " : accent(to < from ? "↑" : "↓");
    const tags = task.tags.map((tag) => `[${tag}] `).join("");
    const name = `${bold(task.id)} ${oneLine(tags + task.title, 60)}`;
    if (!byScore) return `${moved} ${name}`;
    const { unblocks, uncertainty, impact, tags: points } = breakdown;
    const added = tagsToAdd.map((tag) => ` +[${tag}]`).join("");
    const sum = `unblocks ${unblocks}, uncertainty ${uncertainty}, impact ${impact}, tags ${points}`;
    return `${moved} ${String(total).padStart(3)} ${name}${accent(added)}  ${dim(sum)}`;
  });
}

const suggested = (plan: Plan, { dim }: Paint): string[] =>
  plan.suggestions.map(({ id, tag, reason }) =>
    dim(`suggested: [${tag}] ${id}: ${oneLine(reason)}`),
  );

const held = (plan: Plan, { warn }: Paint): string[] =>
  plan.held.map(({ line, reason }) =>
    warn(
      `the tasks from line ${line} stay as they are: ${reason === "cycle" ? "they depend on each other in a cycle" : "parallel groups would run together"}`,
    ),
  );

import { addTask, type ChangedPlan, splitTask } from "../../../../engine/change-plan.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import { LIMITS } from "../../../../run/state.ts";
import type { Spec } from "../../../../store/spec.ts";
import { locate } from "../../../../tasks/position.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { stringOption, stringOptions } from "../../arguments.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { tellNext } from "../../what-follows.ts";

const PARTS = { least: 2, most: 5 } as const;
const REASON = { value: "text", summary: "why, in one sentence" } as const;

export const split: Command = {
  summary: "a task is too large: do it in parts",
  args: ["<task>"],
  options: {
    into: {
      multiple: true,
      value: "title",
      summary: `one part; ${PARTS.least} to ${PARTS.most} of them, in the order of the work`,
    },
    reason: REASON,
  },
  details: `The parts are added after the task as "x.y.1 [PART x.y]" and so on, with its Files. The task itself stays as it is and
comes last: its own Verify checks that the parts add up to the whole.
Refused with exit code 1 once a task has been changed ${LIMITS.maxModificationsPerTask} times, or is itself part of a part.`,
  async run(context, input) {
    const titles = stringOptions(input, "into").map((title) => titleOf(title, "--into"));
    const count = new Set(titles).size;
    if (count < PARTS.least || count > PARTS.most || count < titles.length) {
      throw new Refusal(
        "usage",
        `split needs ${PARTS.least} to ${PARTS.most} different parts, not ${count < titles.length ? "the same one twice" : count}`,
        'name each: --into "the parser" --into "its tests"',
      );
    }
    const reason = oneLine(stringOption(input, "reason") ?? "", 500);
    const id = input.args[0] as string;
    const spec = specAtWork(context, input);
    const plan = splitTask(context, spec, id, titles, reason);
    return render(context, spec, plan, "is split into");
  },
};

export const add: Command = {
  summary: "a task is missing from the plan: put it before or after another",
  args: ["<title>"],
  options: {
    before: { value: "task", summary: "what has to wait for it" },
    after: { value: "task", summary: "what it follows" },
    do: { value: "text", summary: "what to do" },
    files: { value: "paths", summary: "the files it may touch" },
    verify: { value: "command", summary: "the command that proves it" },
    requirements: { value: "ids", summary: 'what it is for: "FR-1, AC-1.2"' },
    reason: REASON,
  },
  details: `Refused with exit code 1 once a task has been changed ${LIMITS.maxModificationsPerTask} times, or was itself added next to an added one.`,
  async run(context, input) {
    const place = placeOf(input);
    const title = titleOf(input.args[0] ?? "", "<title>");
    const addition = { title, fields: fieldsOf(input) };
    const reason = oneLine(stringOption(input, "reason") ?? "", 500);
    const spec = specAtWork(context, input);
    const plan = addTask(context, spec, place, addition, reason);
    const verb = place.where === "before" ? "now waits for" : "is followed by";
    return render(context, spec, plan, verb);
  },
};

function placeOf(input: Input): { where: "before" | "after"; id: string } {
  const before = stringOption(input, "before");
  const after = stringOption(input, "after");
  if ((before === undefined) === (after === undefined)) {
    throw new Refusal("usage", "add needs either --before <task> or --after <task>");
  }
  return before === undefined
    ? { where: "after", id: after as string }
    : { where: "before", id: before };
}

function titleOf(text: string, name: string): string {
  const title = oneLine(text, 200);
  if (title === "") throw new Refusal("usage", `${name} is empty`, "say in a few words what to do");
  return title;
}

function fieldsOf(input: Input): Map<string, string> {
  const fields = new Map<string, string>();
  const set = (name: string, value: string): void => {
    if (value !== "") fields.set(name, value);
  };
  set("Do", oneLine(stringOption(input, "do") ?? "", 2000));
  set("Files", oneLine(stringOption(input, "files") ?? "", 1000));
  set("Verify", commandOf(stringOption(input, "verify") ?? ""));
  set("Requirements", oneLine(stringOption(input, "requirements") ?? "", 500));
  return fields;
}

/** A Verify in backticks runs as is; a bare one is first checked to be a command at all. */
function commandOf(text: string): string {
  const command = clean(text).trim();
  if (command.includes("\n")) {
    throw new Refusal("usage", "--verify takes one line", "join the commands with &&");
  }
  if (command === "" || (command.startsWith("`") && command.endsWith("`"))) return command;
  return command.includes("`") ? `\`\` ${command} \`\`` : `\`${command}\``;
}

async function render(
  context: Context,
  spec: Spec,
  plan: ChangedPlan,
  verb: string,
): Promise<Result> {
  const { task } = plan;
  const now = await whatNext(context, spec);
  if (plan.kind === "refused") {
    const { why } = plan;
    return { ok: false, text: why, json: { task, refusal: why } };
  }
  const { list, added, already } = plan;
  const { total, current } = locate(list);
  const next = current.map(({ id }) => id);
  return {
    text: `${task} ${verb} ${added.join(", ")}${already ? " already" : ""}.${now === undefined ? ` ${tellNext(context, spec, list)}` : `\n${now}`}`,
    json: { task, already, added, total, next },
  };
}

import { askQuestion, passQuestion, type Question } from "../../../../engine/ask-question.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import { drivenBy } from "../../../../run/driven.ts";
import { isOpen } from "../../../../run/inbox.ts";
import type { Decided } from "../../../../tasks/model.ts";
import { clean } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const ask: Command = {
  summary: "ask the user what nobody else can decide; the task waits, the rest goes on",
  args: ["<question…>"],
  options: {
    options: { value: "a,b", summary: "answers to choose from" },
    task: { value: "id", summary: "the task that waits, if not the current one" },
    again: { summary: "what the user has decided so far does not answer it" },
  },
  details:
    "For what cannot be undone, costs money, or contradicts the documents. Everything else is decided and noted as an\nassumption in .progress.md.",
  async run(context, input) {
    const question = readQuestion(input);
    return drivenBy(context.env) === undefined
      ? askInClient(context, input, question)
      : askInRun(context, question);
  },
};

function readQuestion(input: Input): Question {
  const text = clean(input.args.join(" ")).trim();
  if (text === "")
    throw new Refusal("usage", "ask needs a question", 'ask "Which one?" --options a,b');
  return {
    text,
    options: (stringOption(input, "options") ?? "")
      .split(",")
      .map((option) => option.trim())
      .filter((option) => option !== ""),
    task: stringOption(input, "task"),
    isAgain: input.options["again"] === true,
  };
}

function askInRun(context: Context, question: Question): Result {
  const passed = passQuestion(context, question);
  if (passed.kind === "decided")
    return {
      text: `The user has decided about this task; go on with that.\n${renderDecided(passed.decided)}\nIf it does not answer your question, ask it with --again.`,
      json: { asked: false, decided: passed.decided },
    };
  return {
    text: "Asked. The answer comes later and goes to whoever gets the task next: do not wait for it. Commit what is of use whatever they say, undo the rest, and end your turn with TASK_BLOCKED on a line of its own.",
    json: { asked: true },
  };
}

async function askInClient(context: Context, input: Input, question: Question): Promise<Result> {
  const spec = specOf(context, input);
  const entry = askQuestion(context, spec, question);
  const json = { spec: spec.name, asked: isOpen(entry), id: entry.id, task: entry.task };
  if (entry.answer !== undefined)
    return {
      text: `The user has decided; go on with that.\n${renderDecided([{ question: entry.text, answer: entry.answer }])}`,
      json: { ...json, answer: entry.answer },
    };
  const { voice } = spec.project.layout;
  const how = `Question ${entry.id}: ${entry.task} waits until the user types ${voice.command("answer")} ${entry.id} <text>. Commit what is of use whatever they say, and undo the rest.`;
  const next = await whatNext(context, spec);
  return {
    text:
      next === undefined
        ? `${how} Report TASK_BLOCKED on a line of its own, and end your turn.`
        : `${how} A sub-agent reports TASK_BLOCKED and ends. Whoever hands out tasks goes on:\n\n${next}`,
    json,
  };
}

const renderDecided = (decided: readonly Decided[]): string =>
  decided
    .flatMap(({ question, answer }) => [`Question: ${question}`, `The user decided: ${answer}`])
    .flatMap((text) => clean(text).split("\n"))
    .map((line) => `> ${line}`)
    .join("\n");

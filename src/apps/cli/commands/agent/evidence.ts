import { requireTask, tasksOf } from "../../../../engine/with-run.ts";
import type { Evidence } from "../../../../run/claim/evidence.ts";
import { planReceipt, type ReceiptLine } from "../../../../run/claim/receipt.ts";
import { describeEvidence } from "../../../../run/claim/verification.ts";
import { readAllEntries, readTasks } from "../../../../store/spec-files.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const evidence: Command = {
  name: "evidence",
  summary: "what proves that each task is done: command, result, commit, time",
  args: ["[task]"],
  group: "look",
  run(context, input) {
    const spec = specOf(context, input);
    const list = tasksOf(spec, readTasks(spec));
    const receipt = planReceipt(list, readAllEntries(spec));
    const [id] = input.args;
    const only = id === undefined ? undefined : requireTask(list, id).id;
    const lines = receipt.filter((line) => only === undefined || line.id === only);
    const style = paint(context.colour);
    return {
      text: lines.map((line) => renderLine(line, style, only !== undefined)).join("\n"),
      json: { ok: true, spec: spec.name, tasks: lines },
    };
  },
};

function renderLine(line: ReceiptLine, { bold, dim, good, warn }: Paint, whole: boolean): string {
  const mark = line.done ? good("✓") : dim("·");
  const facts = [
    line.attempts > 1 ? `${line.attempts} attempts` : "",
    line.refused > 0 ? `${line.refused} refused` : "",
    line.commit === null ? "" : `at ${line.commit.slice(0, 9)}`,
  ].filter(Boolean);
  const proof =
    line.evidence.length > 0
      ? clean(line.evidence.map(describeEvidence).join(", "))
      : warn(clean(line.done ? (line.note ?? "no evidence") : "open"));
  const head = `${mark} ${bold(line.id)} ${oneLine(line.title, 60)}: ${proof}${facts.length > 0 ? dim(` (${facts.join(", ")})`) : ""}`;
  const tails = whole ? line.evidence.filter(({ tail }) => tail.trim() !== "") : [];
  return [head, ...tails.map(renderTail)].join("\n");
}

const renderTail = ({ tail }: Evidence): string =>
  clean(tail)
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");

import type { Proof, ProvenSpec, ProvenTask } from "../../engine/prove-spec.ts";
import { tellingLines } from "../../run/claim/useful-lines.ts";
import { describeEvidence } from "../../run/claim/verification.ts";
import { isFailure, type Verdict, VERDICTS } from "../../spec/verdict.ts";
import { clean, oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import { renderColumns } from "./columns.ts";
import type { Paint } from "./paint.ts";

export function renderProof(proof: Proof, style: Paint, width: number | undefined): string {
  const { uncommitted } = proof;
  const isOne = uncommitted === 1;
  const notes = [
    ...(uncommitted > 0
      ? [`${counted(uncommitted, "uncommitted file")} ${isOne ? "is" : "are"} not part of this`]
      : []),
    ...proof.shared,
    ...proof.missing,
  ];
  return [
    ...proof.specs.map((spec) => `${renderSpec(spec, style, width)}\n`),
    ...notes.map((note) => style.warn(oneLine(note, 300))),
    renderSummary(proof, style),
  ].join("\n");
}

const HEAD = ["task", "receipt", "now", "verdict"] as const;

function renderSpec(
  { spec, path, skipped, tasks }: ProvenSpec,
  style: Paint,
  width: number | undefined,
): string {
  const head = `${style.bold(oneLine(spec, 100))} ${style.dim(oneLine(path, 200))}`;
  if (skipped !== null) return `${head}: ${style.dim(skipped)}`;
  const [title = "", ...lines] = renderColumns([HEAD, ...tasks.map(cellsOf)], width);
  const rows = tasks.flatMap((task, i) => [
    paintRow(lines[i] as string, task, style),
    ...renderWhy(task),
  ]);
  return [head, style.dim(title), ...rows].join("\n");
}

const MARKS = { bad: "✗", good: "✓", none: "-" } as const;

const markOf = (verdict: Verdict): keyof typeof MARKS =>
  isFailure(verdict) ? "bad" : ["proven-again", "passes"].includes(verdict) ? "good" : "none";

const cellsOf = ({ id, title, recorded, now, verdict }: ProvenTask): string[] => [
  `${MARKS[markOf(verdict)]} ${id} ${title}`,
  describeRecord(recorded),
  verdict === "not-run" ? "" : (now.at(-1)?.outcome ?? ""),
  VERDICTS[verdict],
];

const describeRecord = ({ class: is, commit, note }: ProvenTask["recorded"]): string =>
  commit === null ? `${is}${note === null ? "" : `: ${note}`}` : `${is} at ${commit.slice(0, 9)}`;

function paintRow(row: string, { verdict }: ProvenTask, { bad, dim }: Paint): string {
  return { bad, good: (text: string): string => text, none: dim }[markOf(verdict)](row);
}

/** The last lines of its output, or why it did not run. */
function renderWhy({ now, why, verdict }: ProvenTask): string[] {
  const failed = now.find(({ outcome }) => outcome !== "passed");
  if (failed === undefined) return isFailure(verdict) && why !== null ? [`    ${clean(why)}`] : [];
  const { exitCode, tail, why: reason } = failed;
  const code = exitCode === null ? "" : `, exit code ${exitCode}`;
  const said = reason === undefined ? tellingLines(tail) : [reason];
  return [
    `    ${oneLine(describeEvidence(failed), 200)}${code}`,
    ...said.slice(-5).map((line) => `      ${oneLine(line, 300)}`),
  ];
}

function renderSummary({ specs, commit }: Proof, { good, bad }: Paint): string {
  const tasks = specs.flatMap((spec) => spec.tasks);
  const counts = Object.entries(VERDICTS).flatMap(([verdict, words]) => {
    const count = tasks.filter((task) => task.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const isGood = !tasks.some(({ verdict }) => isFailure(verdict));
  const isElsewhere = tasks.some(({ at }) => at !== null && at !== commit);
  const at = isElsewhere ? ", each at its receipt's commit" : ` at ${commit.slice(0, 9)}`;
  const said = `${counted(tasks.length, "ticked task")}${at}`;
  return `${said}: ${(isGood ? good : bad)(counts.join(", ") || "nothing to prove")}`;
}

import { Refusal } from "../../../../engine/refusal.ts";
import { type SpecTrace, traceAllSpecs, traceSpec } from "../../../../engine/trace-spec.ts";
import type { Trace } from "../../../../spec/trace.ts";
import { oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import { type Command, type Context, EXIT, type Input } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";
import { renderTraceTable } from "../../trace-table.ts";

export const trace: Command = {
  name: "trace",
  summary: "from each requirement to its tasks, their commits and what proves them",
  args: ["[spec]"],
  group: "look",
  options: {
    check: { type: "boolean", summary: "name what is missing, and exit with 1 if anything is" },
    all: { type: "boolean", summary: "every spec of the project" },
  },
  details: `Requirements come from requirements.md (spec.md in Spec Kit), evidence from the journal. A fresh checkout has no
journal: there the receipt that a finished run leaves in .progress.md counts, so commit it. Its commands must be those
of tasks.md, and its commits must exist; a shallow clone cannot tell, and trace says so.
With --check it is a gate for CI: a requirement without a task, a task that refers to a requirement nobody defined, or a
ticked task that nothing proves. A task without a command to run is proven by its report. A spec that has no tasks yet
fails nothing under --all.`,
  run(context, input) {
    const isCheck = input.options["check"] === true;
    const isAll = input.options["all"] === true;
    const traced = isAll
      ? traceAll(context, input)
      : [traceSpec(specOf(context, input, input.args[0]))];
    const ok = !isCheck || traced.every(({ problems }) => problems.length === 0);
    const style = paint(context.colour);
    const specs = traced.map((one) => ({ ...one, counts: countsOf(one) }));
    return {
      code: ok ? EXIT.ok : EXIT.refused,
      text: traced.map((one) => render(one, isCheck, style)).join(isCheck ? "\n" : "\n\n"),
      json: isAll ? { ok, specs } : { ok, ...specs[0] },
    };
  },
};

function traceAll(context: Context, input: Input): SpecTrace[] {
  if (input.args.length > 0 || input.options["spec"] !== undefined) {
    throw new Refusal("usage", "--all means every spec", "leave the name out, or --all");
  }
  return traceAllSpecs(context);
}

function render(traced: SpecTrace, isCheck: boolean, style: Paint): string {
  const head = `${style.bold(oneLine(traced.spec, 100))} ${style.dim(oneLine(traced.path, 200))}`;
  if (traced.skipped !== null) return `${head}: ${style.dim(traced.skipped)}`;
  const counts = renderCounts(traced, style);
  const notes = renderUnchecked(traced, style);
  return isCheck
    ? [...renderProblems(traced, style), ...notes, `${head}: ${counts}`].join("\n")
    : [head, renderTraceTable(traced, style), ...notes, counts].join("\n");
}

const renderProblems = ({ problems }: Trace, { bad }: Paint): string[] =>
  problems.map(
    ({ target, code, message, fix }) =>
      `${oneLine(target, 300)}: ${bad(`error ${code}`)} ${oneLine(message, 300)}\n    → ${oneLine(fix, 300)}`,
  );

function renderUnchecked({ unchecked }: Trace, { warn }: Paint): string[] {
  if (unchecked.length === 0) return [];
  const whose = unchecked.length === 1 ? "commit" : "commits";
  const why = "this is a shallow clone, or git cannot be asked";
  return [
    warn(`the ${whose} of ${oneLine(unchecked.join(", "), 100)} could not be looked for: ${why}`),
  ];
}

function countsOf({ requirements, tasks, problems }: Trace) {
  const standing = (...wanted: readonly string[]): number =>
    tasks.filter((task) => wanted.includes(task.standing)).length;
  const required = requirements.filter((one) => one.required);
  return {
    requirements: requirements.length,
    required: required.length,
    covered: required.filter((one) => one.tasks.length > 0).length,
    tasks: tasks.length,
    done: tasks.length - standing("open"),
    proven: standing("proven"),
    reported: standing("reported"),
    problems: problems.length,
  };
}

function renderCounts(traced: SpecTrace, { good, bad }: Paint): string {
  const counts = countsOf(traced);
  const covered =
    traced.document === null
      ? "no requirements document, tasks only"
      : counts.requirements === 0
        ? `${traced.document} defines no requirement by an id, tasks only`
        : `${counts.covered} of ${counts.required} requirements have a task`;
  const done = `${counts.done} of ${counted(counts.tasks, "task")} done`;
  const proof = `${counts.proven} proven by Verify, ${counts.reported} by report`;
  const { problems } = counts;
  const verdict = problems === 0 ? good("no problems") : bad(counted(problems, "problem"));
  return `${covered}; ${done}, ${proof}; ${verdict}`;
}

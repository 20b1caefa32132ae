import { Refusal } from "../../../../engine/refusal.ts";
import { findWork, tellUntaken } from "../../../../engine/run-trees.ts";
import { type WrittenBaseline, writeBaselines } from "../../../../engine/trace-baseline.ts";
import { type SpecTrace, traceIfPlanned, traceSpec } from "../../../../engine/trace-spec.ts";
import { countClasses, describeCounts } from "../../../../facts/classify.ts";
import { listWeaknesses } from "../../../../facts/summary.ts";
import type { Trace } from "../../../../spec/trace.ts";
import type { Spec } from "../../../../store/spec.ts";
import { oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import type { Command, Context, Result } from "../../command.ts";
import { specAtWork, specOf, specsOf, tellTree } from "../../named-spec.ts";
import { paint, type Paint } from "../../paint.ts";
import { renderTraceTable } from "../../trace-table.ts";

export const trace: Command = {
  summary: "from each requirement to its tasks, their commits and what proves them",
  args: ["[spec]"],
  options: {
    check: { summary: "name what is missing, and exit with 1 if anything is" },
    strict: {
      summary:
        "with --check: also on tasks that are only reported, or checked other than by design",
    },
    all: { summary: "every spec of the project" },
    baseline: {
      writes: true,
      summary: "accept the problems that are there today: --check then fails only on others",
    },
  },
  details: `Requirements come from requirements.md (spec.md in Spec Kit, deltas in OpenSpec), evidence from the journal. A fresh checkout has no
journal: there receipt.json counts, which a finished run leaves (older ones: the table in .progress.md), so commit it.
Its commands must be those of tasks.md, and its commits must exist; a shallow clone cannot tell, and trace says so.
Its classes are computed again.
A requirement stands as the strongest task that names it, or as the [VERIFY] task that checks such a task; a [RED] task
proves nothing. What proven, checked, reported and accepted mean: docs/proof.md.
With --check it is a gate for CI. It fails on a requirement without a task or with only [RED] ones, on a reference to a
requirement that nobody defined, and on a ticked task that nothing proves or whose work was not committed when its
Verify passed. It warns of ticked tasks that are not proven; with --strict it fails on them, unless the user accepted
them or they are checked by design. Under --all, a spec without tasks does not fail.
--baseline writes .trace-baseline.json next to the specs, for you to commit; --check then fails only on what is not in
it. Agents are refused.`,
  run(context, input) {
    const isCheck = input.options["check"] === true;
    const isAll = input.options["all"] === true;
    const isBaseline = input.options["baseline"] === true;
    const isStrict = input.options["strict"] === true;
    if (isStrict && !isCheck)
      throw new Refusal("usage", "--strict says what --check fails on", "use both");
    if (isCheck && isBaseline)
      throw new Refusal("usage", "--baseline writes what --check accepts", "use one of them");
    const specs = specsOf(context, input, isBaseline ? specOf : specAtWork);
    const traced = specs.map((spec) =>
      isAll ? traceIfPlanned(spec, isStrict) : traceSpec(spec, { isStrict }),
    );
    if (isBaseline) return accept(context, specs, traced, isAll);
    const style = paint(context.colour);
    const answers = traced.map((one) => ({ ...one, counts: countsOf(one) }));
    return {
      ok: !isCheck || traced.every(({ problems }) => problems.length === 0),
      text: [
        ...traced.map((one) => render(one, { isCheck, isStrict }, style, context.width)),
        ...(isAll ? renderElsewhere(specs, style) : specs.flatMap(tellTree)),
      ].join(isCheck ? "\n" : "\n\n"),
      json: isAll ? { specs: answers } : { ...answers[0] },
    };
  },
};

/** What a run has done in its own tree is not in the user's, which is what `--all` looks at. */
const renderElsewhere = (specs: readonly Spec[], { warn }: Paint): string[] =>
  specs
    .filter((spec) => findWork(spec) !== spec)
    .map(({ name }) => {
      const { why, fix } = tellUntaken(name);
      return warn(`${why}: ${fix}`);
    });

function accept(
  context: Context,
  specs: readonly Spec[],
  traced: readonly SpecTrace[],
  isAll: boolean,
): Result {
  const pairs = specs.map((spec, i) => [spec, traced[i] as SpecTrace] as const);
  const baselines = writeBaselines(context, pairs, isAll);
  return { text: baselines.map(describeBaseline).join("\n"), json: { baselines } };
}

function describeBaseline({ path, problems, before }: WrittenBaseline): string {
  const shown = oneLine(path, 200);
  if (problems === 0)
    return before === 0 ? "no problems, no baseline needed" : `${shown} is gone: no problems left`;
  const was = before === 0 ? "" : `, ${before} before`;
  return `${shown}: ${counted(problems, "problem")} accepted${was}; commit it`;
}

function render(
  traced: SpecTrace,
  { isCheck, isStrict }: { readonly isCheck: boolean; readonly isStrict: boolean },
  style: Paint,
  width: number | undefined,
): string {
  const head = `${style.bold(oneLine(traced.spec, 100))} ${style.dim(oneLine(traced.path, 200))}`;
  if (traced.skipped !== null) return `${head}: ${style.dim(traced.skipped)}`;
  const counts = renderCounts(traced, style);
  const notes = [...renderUnchecked(traced, style), ...renderStale(traced, style)];
  // What is a problem, or was accepted as one, has been said.
  const said = new Set([...traced.problems, ...traced.known].map(({ about }) => about));
  const others = traced.tasks.filter(({ id }) => !said.has(id));
  const weak = isStrict ? [] : listWeaknesses(others).map(style.warn);
  return isCheck
    ? [...renderProblems(traced, style), ...weak, ...notes, `${head}: ${counts}`].join("\n")
    : [head, renderTraceTable(traced, style, width), ...notes, counts].join("\n");
}

/** What to do is said once if it is the same for the next one: an old repository has hundreds. */
const renderProblems = ({ problems }: Trace, { bad }: Paint): string[] =>
  problems.map(({ target, code, message, fix }, i) => {
    const line = `${oneLine(target, 300)}: ${bad(`error ${code}`)} ${oneLine(message, 300)}`;
    return fix === problems[i + 1]?.fix ? line : `${line}\n    → ${oneLine(fix, 300)}`;
  });

function renderUnchecked({ unchecked }: Trace, { warn }: Paint): string[] {
  if (unchecked.length === 0) return [];
  const whose = unchecked.length === 1 ? "commit" : "commits";
  const why = "this is a shallow clone, or git cannot be asked";
  return [
    warn(`the ${whose} of ${oneLine(unchecked.join(", "), 100)} could not be looked for: ${why}`),
  ];
}

function renderStale({ stale }: SpecTrace, { warn }: Paint): string[] {
  if (stale.length === 0) return [];
  const entries = oneLine(stale.join(", "), 200);
  return [warn(`fixed since the baseline: ${entries}; trace --baseline drops them`)];
}

function countsOf({ requirements, tasks, problems, known }: SpecTrace) {
  const required = requirements.filter((one) => one.required);
  const count = (...wanted: readonly unknown[]): number =>
    required.filter(({ standing }) => wanted.includes(standing)).length;
  return {
    requirements: requirements.length,
    required: required.length,
    covered: required.filter((one) => one.tasks.length > 0).length,
    proven: count("proven"),
    met: count("proven", "checked", "accepted"),
    tasks: countClasses(tasks),
    problems: problems.length,
    known: known.length,
  };
}

const isNamed = ({ requirements }: SpecTrace): boolean =>
  requirements.some(({ tasks }) => tasks.length > 0);

function renderCounts(traced: SpecTrace, { good, bad }: Paint): string {
  const counts = countsOf(traced);
  const covered =
    traced.document === null
      ? "no requirements document, tasks only"
      : counts.requirements === 0
        ? `${traced.document} defines no requirement by an id, tasks only`
        : counts.required === 0
          ? `${counted(counts.requirements, "requirement")}; ${isNamed(traced) ? "none needs a task" : "no task names one"}, so coverage is not checked`
          : `${counts.covered} of ${counts.required} requirements have a task, ${counts.proven} proven${counts.met > counts.proven ? `, ${counts.met - counts.proven} checked or accepted` : ""}`;
  const { problems, known } = counts;
  const verdict = problems === 0 ? good("no problems") : bad(counted(problems, "problem"));
  const baseline = known === 0 ? "" : `, ${known} in the baseline`;
  return `${covered}; ${describeCounts(counts.tasks)}; ${verdict}${baseline}`;
}

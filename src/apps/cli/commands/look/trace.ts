import { parseReceipt } from "../../../../run/claim/receipt.ts";
import { planTrace, rowsThatCount, type Trace } from "../../../../spec/trace.ts";
import { oneLine } from "../../../../text/template.ts";
import { readAllEntries, readDisk } from "../../../../store/spec-files.ts";
import { readDocument } from "../../../../store/documents.ts";
import { readHistory } from "../../../../git/history.ts";
import { shownPath, type Spec } from "../../../../store/spec.ts";
import { CliError, type Command, type Context, EXIT, type Input } from "../../command.ts";
import { openSpec, openSpecs } from "../../../../engine/resolve-spec.ts";
import { paint, type Paint } from "../../paint.ts";
import { tasksOf } from "../../../../engine/run.ts";
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
of tasks.md, and its commits must exist; a shallow clone cannot tell, and that is said.
With --check it is a gate for CI: a requirement without a task, a task that refers to a requirement nobody defined, or a
ticked task that nothing proves. A task without a command to run is proven by its report. A spec that has no tasks yet
fails nothing under --all.`,
  run(context, input) {
    const isCheck = input.options["check"] === true;
    const isAll = input.options["all"] === true;
    const traced = isAll ? traceAll(context, input) : [traceOne(context, input)];
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

/** A spec, and its trace as far as there is something to follow. */
interface Traced extends Trace {
  readonly spec: string;
  readonly path: string;
  /** Where the requirements stand; null where there is no such document. */
  readonly document: string | null;
  /** Why there is nothing to trace. */
  readonly skipped: string | null;
}

function traceOne(context: Context, input: Input): Traced {
  return traceSpec(context, openSpec(context, input, input.args[0]));
}

function traceAll(context: Context, input: Input): Traced[] {
  if (input.args.length > 0 || input.options["spec"] !== undefined) {
    throw new CliError(EXIT.usage, "--all means every spec", "leave the name out, or --all");
  }
  const specs = openSpecs(context);
  if (specs.length === 0) throw new CliError(EXIT.missing, "there are no specs yet");
  return specs.map((spec) => {
    const { tasks } = readDisk(spec);
    const isPlanned =
      tasks.kind !== "absent" && (tasks.kind !== "ok" || tasks.list.tasks.length > 0);
    return isPlanned ? traceSpec(context, spec) : skip(spec);
  });
}

const skip = (spec: Spec): Traced => ({
  spec: spec.name,
  path: spec.basePath,
  document: null,
  skipped: "it has no tasks yet",
  requirements: [],
  tasks: [],
  problems: [],
  unchecked: [],
});

export function traceSpec(context: Context, spec: Spec): Traced {
  const { requirements: name } = spec.project.layout;
  const requirements = readOwn(spec, name);
  const list = tasksOf(context, spec, readDisk(spec));
  const entries = readAllEntries(spec);
  const receipt = parseReceipt(readOwn(spec, ".progress.md") ?? "");
  const rows = [...rowsThatCount(list, entries, receipt).values()];
  const commits = rows.flatMap(({ commit }) => commit ?? []);
  const plan = planTrace({
    list,
    requirements,
    entries,
    receipt,
    // Git is started only where there is something to ask.
    history: rows.length > 0 ? readHistory(spec.project.root, commits) : NO_HISTORY,
    settings: spec.project.settings,
    paths: { requirements: `${spec.basePath}/${name}`, tasks: shownPath(spec.project, spec.tasks) },
  });
  return {
    spec: spec.name,
    path: spec.basePath,
    document: requirements === undefined ? null : `${spec.basePath}/${name}`,
    skipped: null,
    ...plan,
  };
}

const NO_HISTORY = { kind: "none", commits: new Set<string>() } as const;

function readOwn(spec: Spec, name: string): string | undefined {
  const file = readDocument(spec, name);
  if (file.kind === "unreadable") {
    throw new CliError(EXIT.broken, `${spec.basePath}/${name} cannot be read, ${file.why}`);
  }
  return file.kind === "ok" ? file.text : undefined;
}

function render(traced: Traced, isCheck: boolean, style: Paint): string {
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

function renderCounts(traced: Traced, { good, bad }: Paint): string {
  const counts = countsOf(traced);
  const covered =
    traced.document === null
      ? "no requirements document, tasks only"
      : counts.requirements === 0
        ? `${traced.document} defines no requirement by an id, tasks only`
        : `${counts.covered} of ${counts.required} requirements have a task`;
  const done = `${counts.done} of ${counts.tasks} tasks done`;
  const proof = `${counts.proven} proven by Verify, ${counts.reported} by report`;
  const { problems } = counts;
  const verdict =
    problems === 0
      ? good("no problems")
      : bad(problems === 1 ? "1 problem" : `${problems} problems`);
  return `${covered}; ${done}, ${proof}; ${verdict}`;
}

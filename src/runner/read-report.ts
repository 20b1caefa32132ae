import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveSpec } from "../engine/resolve-spec.ts";
import { readSummary } from "../engine/summary.ts";
import { BRANCH_PREFIX } from "../engine/trunk-record.ts";
import { tasksSoFar } from "../engine/with-run.ts";
import { hasBranch } from "../git/own-tree.ts";
import { findGit } from "../store/git-files.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { isFolder } from "../store/spec.ts";
import { agentOptions } from "./go-on.ts";
import { readEvents } from "./read-events.ts";
import { readWaitingFacts } from "./read-waiting.ts";
import { type KnownSpec, type Page, planReport } from "./report.ts";
import { fateOfRun, type RunFolder } from "./run-files.ts";
import type { ViewModel } from "./view/model.ts";
import { reduceAll } from "./view/reduce.ts";

/** The page on a run, with facts from the specs' folders: in the run's tree or, once that is gone, in the project. */
export function readPage(request: Request, run: RunFolder): Page {
  const model = withoutTaken(begunAs(reduceAll(readEvents(run)), run), run.info.project);
  const last = model.last ?? request.now().at;
  const fate = fateOfRun(run, last);
  const died = fate.kind === "died" ? fate.at : null;
  const known = readFacts(request, run, model);
  const report = planReport(model, known, Date.parse(last), died);
  return { report, specs: known.map(({ facts }) => facts) };
}

/** A run that was killed at once has told nothing, or not its specs; its own file knows them. */
function begunAs(model: ViewModel, run: RunFolder): ViewModel {
  const { specs, tree } = run.info;
  const named = specs.map((name) => ({ name, branch: null, tree, tasks: [] }));
  return {
    ...model,
    run: run.info.run,
    specs: model.specs.length > 0 ? model.specs : named,
    options: model.began === null ? agentOptions(run) : model.options,
  };
}

/** Forgets branches that hold nothing which the user's does not: they were taken. */
const withoutTaken = (model: ViewModel, project: string): ViewModel => ({
  ...model,
  specs: model.specs.map((spec) =>
    spec.branch?.startsWith(BRANCH_PREFIX) === true &&
    findGit(project) !== undefined &&
    hasBranch(project, spec.branch)
      ? { ...spec, branch: null }
      : spec,
  ),
});

const readFacts = (request: Request, { info }: RunFolder, { specs }: ViewModel): KnownSpec[] =>
  specs.flatMap(({ name, tree }) => {
    const places = [tree, info.tree, info.project].filter(isFolder);
    for (const place of new Set(places)) {
      const facts = factsAt({ ...request, cwd: place, starts: [place] }, name);
      if (facts !== undefined) return [facts];
    }
    return [];
  });

/** Undefined if the spec is not there or cannot be read: the events are enough for a report. */
function factsAt(request: Request, name: string): KnownSpec | undefined {
  try {
    const spec = resolveSpec(request, name);
    const facts = readSummary(spec, tasksSoFar(spec));
    const waiting = readWaitingFacts(request, spec, facts);
    return { facts, entries: readAllEntries(spec), waiting };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

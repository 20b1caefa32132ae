import { isPending, readInboxes } from "../engine/inbox.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveSpec } from "../engine/resolve-spec.ts";
import { readSummary } from "../engine/summary.ts";
import { tasksOf } from "../engine/with-run.ts";
import { commitOf } from "../git/own-tree.ts";
import { findGit } from "../store/git-files.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import { isFolder } from "../store/spec.ts";
import { readEvents } from "./read-events.ts";
import { planReport, type KnownSpec, type Report } from "./report.ts";
import type { RunFolder } from "./run-files.ts";
import type { ViewModel } from "./view/model.ts";
import { reduceAll } from "./view/reduce.ts";

/** The report on a run, with facts from the specs' folders: in the run's tree or, once that is gone, in the project. */
export function readReport(request: Request, run: RunFolder): Report {
  const model = withoutTaken(reduceAll(readEvents(run)), run.info.project);
  return planReport(
    model,
    readFacts(request, run, model),
    Date.parse(model.last ?? request.now().at),
  );
}

/** Forgets branches that no longer exist: the user has taken them. */
const withoutTaken = (model: ViewModel, project: string): ViewModel => ({
  ...model,
  specs: model.specs.map((spec) =>
    spec.branch !== null &&
    findGit(project) !== undefined &&
    commitOf(project, spec.branch) === undefined
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
    const facts = readSummary(spec, tasksOf(spec, readTasks(spec)));
    const settled = readInboxes([spec])
      .filter((item) => !isPending(item))
      .map(({ entry }) => entry.id);
    return { facts, entries: readAllEntries(spec), assumptions: facts.assumptions, settled };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

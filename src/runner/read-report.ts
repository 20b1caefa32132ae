import { isPending, readInboxes } from "../engine/inbox.ts";
import { readApproval } from "../engine/read-status.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { resolveSpec } from "../engine/resolve-spec.ts";
import { readSummary } from "../engine/summary.ts";
import { tasksSoFar } from "../engine/with-run.ts";
import { commitOf } from "../git/own-tree.ts";
import { findGit } from "../store/git-files.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { isFolder } from "../store/spec.ts";
import { readEvents } from "./read-events.ts";
import { type KnownSpec, type Page, planReport } from "./report.ts";
import { fateOfRun, type RunFolder } from "./run-files.ts";
import type { ViewModel } from "./view/model.ts";
import { reduceAll } from "./view/reduce.ts";

/** The page on a run, with facts from the specs' folders: in the run's tree or, once that is gone, in the project. */
export function readPage(request: Request, run: RunFolder): Page {
  const model = withoutTaken(reduceAll(readEvents(run)), run.info.project);
  const last = model.last ?? request.now().at;
  const fate = fateOfRun(run, last);
  const died = fate.kind === "died" ? fate.at : null;
  const known = readFacts(request, run, model);
  const report = planReport(model, known, Date.parse(last), died);
  return { report, specs: known.map(({ facts }) => facts) };
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
    const facts = readSummary(spec, tasksSoFar(spec));
    const settled = readInboxes([spec])
      .filter((item) => !isPending(item))
      .map(({ entry }) => entry.id);
    const approval = readApproval(request, spec);
    return {
      facts,
      entries: readAllEntries(spec),
      settled,
      ...(approval === undefined ? {} : { approval }),
    };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

import { readSummary, readWrittenSummary } from "../../../../engine/summary.ts";
import { tasksOf, tasksSoFar } from "../../../../engine/with-run.ts";
import { describeCounts } from "../../../../facts/classify.ts";
import { readPage } from "../../../../runner/read-report.ts";
import { readWaitingFacts } from "../../../../runner/read-waiting.ts";
import { planPage } from "../../../../runner/report.ts";
import { listRuns, newestOf } from "../../../../runner/run-list.ts";
import { readLastEntry, readTasks } from "../../../../store/spec-files.ts";
import { clean } from "../../../../text/template.ts";
import { showPage } from "../../../run/page.ts";
import { VERBOSE } from "../../../run/run-options.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";

export const summary: Command = {
  summary: "what was built, what proves it and what it cost",
  args: ["[spec]"],
  details:
    "A finished run writes the same into .progress.md, and commits it with the ticked list and receipt.json. Before that, it is what is known so far.",
  options: { verbose: VERBOSE },
  run(context, input) {
    const spec = specAtWork(context, input, input.args[0]);
    const runs = listRuns(undefined, spec.project.root);
    const run = newestOf(
      runs.filter(({ info }) => info.specs.includes(spec.name) && info.discarded === undefined),
    );
    const tasks = run === undefined ? tasksOf(spec, readTasks(spec)) : tasksSoFar(spec);
    const known = readSummary(spec, tasks);
    const page =
      run === undefined
        ? planPage(known, readWaitingFacts(context, spec, known))
        : readPage(context, run);
    // A fresh clone has no journal, but what the run left.
    const written = readLastEntry(spec) === undefined ? readWrittenSummary(spec) : undefined;
    return {
      ...(written === undefined ? { verbatim: true } : {}),
      text:
        written !== undefined
          ? `${describeCounts(known.counts)}.\n\nAs its run left it in .progress.md:\n\n${clean(written)}`
          : showPage(page, context, input.options),
      json: { path: spec.basePath, ...known, ...(run === undefined ? {} : { run: page.report }) },
    };
  },
};

import { readSummary, readWrittenSummary } from "../../../../engine/summary.ts";
import { tasksOf } from "../../../../engine/with-run.ts";
import { describeCounts } from "../../../../facts/classify.ts";
import { renderSummary } from "../../../../facts/summary.ts";
import { readReport } from "../../../../runner/read-report.ts";
import { listRuns, newestOf } from "../../../../runner/run-list.ts";
import { readLastEntry, readTasks } from "../../../../store/spec-files.ts";
import { clean } from "../../../../text/template.ts";
import { reportLines } from "../../../run/report-lines.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { paint } from "../../paint.ts";

export const summary: Command = {
  name: "summary",
  summary: "what was built, what proves it, what it cost, and how to keep or undo it",
  args: ["[spec]"],
  group: "look",
  details:
    "A finished run writes the same into .progress.md, and commits it with the ticked list and receipt.json. Before that, it is what is known so far.",
  run(context, input) {
    const spec = specAtWork(context, input, input.args[0]);
    const known = readSummary(spec, tasksOf(spec, readTasks(spec)));
    // A fresh clone has no journal, but what the run left.
    const written = readLastEntry(spec) === undefined ? readWrittenSummary(spec) : undefined;
    const text = clean(
      written === undefined
        ? renderSummary(known)
        : `${describeCounts(known.counts)}.\n\nAs its run left it in .progress.md:\n\n${written}`,
    );
    const runs = listRuns(undefined, spec.project.root);
    const run = newestOf(runs.filter(({ info }) => info.specs.includes(spec.name)));
    const report = run === undefined ? undefined : readReport(context, run);
    return {
      text:
        report === undefined
          ? text
          : `${text}\n\n${reportLines(report, paint(context.colour), context.width)}`,
      json: {
        ok: true,
        path: spec.basePath,
        ...known,
        ...(report === undefined ? {} : { run: report }),
      },
    };
  },
};

import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import { quoteForShell } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import type { DriveEnd } from "./do-job.ts";
import { refuseInEpic } from "./epic/in-epic.ts";
import { runEpic } from "./epic/run-epic.ts";
import { groundHere } from "./here.ts";
import { lostIn } from "./lost.ts";
import type { OpenRun, RunEnd } from "./open-run.ts";
import { openOwnGround } from "./own-ground.ts";
import { countAll, type Counted, runSpec, type SpecEnd } from "./run-spec.ts";
import type { RunStatus } from "./run-status.ts";
import type { SpecTarget, Target } from "./target.ts";
import { cleanTrees } from "./trees/clean-trees.ts";
import { refuseUntaken } from "./trees/untaken.ts";

/** Runs the target, tells how it ended, and cleans up, whatever happens. */
export async function runTarget(run: OpenRun, target: Target): Promise<RunStatus> {
  const { options, stage } = run.context;
  let end: RunEnd = { status: "stuck", done: 0, total: 0, text: "" };
  try {
    const { status, done, total, text } = withProof(
      await ("epic" in target ? runEpic(run, target.epic) : runOne(run, target)),
    );
    const lost = lostIn(stage);
    end =
      lost === undefined
        ? { status, done, total, text }
        : { status: "stuck", done, total, text: lost };
    return end.status;
  } catch (error) {
    // Stopping the run interrupts a Verify: that is not an error.
    const isStopped = stage.signal.aborted || stage.timeUp.aborted;
    const lost = lostIn(stage);
    const stopped = stage.signal.aborted ? "stopped" : "budget";
    const status = lost === undefined && isStopped ? stopped : "stuck";
    const why = oneLine(error instanceof Error ? error.message : String(error), 500);
    const { done, total } = countAll(run.specs);
    end = { status, done, total, text: lost ?? (isStopped ? "" : why) };
    if (!isStopped) throw error;
    return end.status;
  } finally {
    try {
      if (!options.here && lostIn(stage) === undefined) cleanTrees(projectOf(target));
    } finally {
      await run.close(end);
    }
  }
}

export const projectOf = (target: Target): Project =>
  "epic" in target ? target.epic.project : target.spec.project;

function runOne(run: OpenRun, { spec: home, goal }: SpecTarget): Promise<SpecEnd> {
  const { context } = run;
  const { options, request } = context;
  return runSpec(context, {
    home,
    async openGround(spec) {
      if (options.here) {
        refuseUntaken(spec, options.given);
        return groundHere(request, spec);
      }
      refuseInEpic(spec, options.given);
      return openOwnGround(request, spec, options);
    },
    goal,
    isGoalTyped: true,
    isAttended: context.isAttended,
    onSpec(spec, { cwd, branch }) {
      run.specs.push(spec);
      run.update({ tree: cwd, branch });
    },
  });
}

/** A run in which nothing failed is a success only if its work is proven. */
function withProof<T extends DriveEnd & Counted>(end: T): T {
  const { status, unproven } = end;
  if (status !== "finished" || unproven.length === 0) return end;
  const name = "spec" in end ? ` --spec ${quoteForShell((end.spec as Spec).name)}` : "";
  const ids = unproven.slice(0, MAX_NAMED).join(", ");
  const more = unproven.length > MAX_NAMED ? ` and ${unproven.length - MAX_NAMED} more` : "";
  return {
    ...end,
    status: "unproven",
    text: `nothing shows that the work was done: ${ids}${more}; ${SHELL_PROGRAM} evidence${name} says why`,
  };
}

const MAX_NAMED = 10;

import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";
import { refuseInEpic } from "./epic/in-epic.ts";
import { runEpic } from "./epic/run-epic.ts";
import type { RunStatus } from "./events.ts";
import { groundHere } from "./here.ts";
import type { OpenRun } from "./open-run.ts";
import { openOwnGround } from "./own-ground.ts";
import { countTasks, runSpec, type SpecEnd } from "./run-spec.ts";
import type { SpecTarget, Target } from "./target.ts";
import { cleanTrees } from "./trees/clean-trees.ts";
import { refuseUntaken } from "./trees/untaken.ts";

/** Runs the target, tells how it ended, and cleans up, whatever happens. */
export async function runTarget(run: OpenRun, target: Target): Promise<RunStatus> {
  const { options, stage } = run.context;
  let status: RunStatus = "stuck";
  try {
    const end = await ("epic" in target ? runEpic(run, target.epic) : runOne(run, target));
    const { done, total, text } = end;
    ({ status } = end);
    stage.emit({ kind: "run-ended", status, done, total, text });
    return status;
  } catch (error) {
    // Stopping the run interrupts a Verify: that is not an error.
    const isStopped = stage.signal.aborted || stage.timeUp.aborted;
    status = stage.signal.aborted ? "stopped" : stage.timeUp.aborted ? "budget" : "stuck";
    const text = oneLine(error instanceof Error ? error.message : String(error), 500);
    stage.emit({ kind: "run-ended", status, ...countAll(run.specs), text: isStopped ? "" : text });
    if (!isStopped) throw error;
    return status;
  } finally {
    if (!options.here) cleanTrees(projectOf(target));
    await run.close(status);
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

function countAll(specs: readonly Spec[]): { readonly done: number; readonly total: number } {
  const all = specs.map(countTasks);
  const sum = (of: "done" | "total"): number => all.reduce((total, one) => total + one[of], 0);
  return { done: sum("done"), total: sum("total") };
}

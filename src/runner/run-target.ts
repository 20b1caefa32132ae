import type { Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";
import type { RunStatus } from "./events.ts";
import { groundHere } from "./here.ts";
import type { OpenRun } from "./open-run.ts";
import { openOwnGround } from "./own-ground.ts";
import { countTasks, runSpec } from "./run-spec.ts";
import type { Target } from "./target.ts";

/** Does what the run is for, tells how it ended, and leaves nothing behind, whatever happens. */
export async function runTarget(run: OpenRun, { spec: home, goal }: Target): Promise<RunStatus> {
  const { context } = run;
  const { options, request, emit } = context;
  let status: RunStatus = "stuck";
  try {
    const end = await runSpec(
      context,
      home,
      async (spec) => (options.here ? groundHere(spec) : openOwnGround(request, spec, options)),
      goal,
      (spec, { cwd, branch }) => {
        run.specs.push(spec);
        run.update({ tree: cwd, branch });
      },
    );
    const { done, total, text } = end;
    ({ status } = end);
    emit({ kind: "run-ended", status, done, total, text });
    return status;
  } catch (error) {
    const text = oneLine(error instanceof Error ? error.message : String(error), 500);
    emit({ kind: "run-ended", status, ...countAll(run.specs), text });
    throw error;
  } finally {
    await run.close(status);
  }
}

function countAll(specs: readonly Spec[]): { readonly done: number; readonly total: number } {
  const all = specs.map(countTasks);
  const sum = (of: "done" | "total"): number => all.reduce((total, one) => total + one[of], 0);
  return { done: sum("done"), total: sum("total") };
}

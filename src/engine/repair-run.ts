import { phaseNamed } from "../layouts/phases.ts";
import { planRepair } from "../run/plan-run.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { locate } from "../tasks/position.ts";
import { Refusal } from "./refusal.ts";
import { commandFor, type Request } from "./request.ts";
import { refuseFolder, refuseForeign, refuseStranger, tasksOf } from "./with-run.ts";

export interface RepairedRun {
  readonly open: number;
  readonly total: number;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly next: readonly string[];
}

/** Rebuilds the state from tasks.md and the journal. An agent may ask for it, so the counts continue. */
export const repairRun = (request: Request, spec: Spec): RepairedRun =>
  withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const { layout } = spec.project;
    const isOn = disk.record !== undefined && disk.last?.loop.open === true;
    if (disk.state.kind === "absent" && !isOn) {
      throw new Refusal(
        "missing",
        `there is nothing to repair: "${spec.name}" is not running`,
        `start it with ${commandFor(request, layout, "implement")} ${spec.name}`,
      );
    }
    refuseStranger(request, disk, spec);
    if (disk.last?.loop.open === true) refuseForeign(request, spec, disk.last.loop);
    const phase = disk.state.kind === "ok" ? disk.state.state.phase : undefined;
    if (phaseNamed(layout.phases, phase) !== undefined) {
      throw new Refusal(
        "missing",
        `there is nothing to repair: "${spec.name}" is in phase ${phase}`,
        `${layout.voice.command("start")} resumes it`,
      );
    }
    const list = tasksOf(spec, disk.tasks);
    refuseFolder(spec);
    const now = request.now();
    const { brief, write } = planRepair(disk, list, request.caller.session, now);
    applyWrite(spec, disk.state, write, now.at);
    const { open, total } = locate(list);
    return {
      open: open.length,
      total,
      iteration: write.loop.iteration,
      maxIterations: write.loop.maxIterations,
      next: brief.current.map(({ id }) => id),
    };
  });

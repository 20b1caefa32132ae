import { commitLeft } from "../engine/commit-left.ts";
import { type HeardReport, hearReport } from "../engine/hear-report.ts";
import { prepareRun } from "../engine/prepare-run.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { settleTicks } from "../engine/settle-ticks.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { sleepUntil } from "./sleep.ts";

/** How often we ask git, or try a file that another process holds. */
const MAX_TIMES = 3;
const PAUSE_MS = 2000;

/**
 * Judges the report on a task. If git does not answer, we ask it again; if it never answers, the task is handed out
 * again, and that costs no attempt.
 */
export async function weighReport(
  request: Request,
  spec: Spec,
  id: string,
  heard: HeardReport,
): Promise<void> {
  for (let time = 1; ; time++) {
    const fault = commitLeft(request, spec, id, heard);
    const told = { ...heard, startedFor: id, ...(fault === undefined ? {} : { fault }) };
    const unread = await hearReport(request, spec, told);
    if (unread === undefined || time === MAX_TIMES) return;
    await pause(request);
  }
}

/** Checks boxes that were ticked by hand, and gets the next tasks ready. */
export async function settleSpec(request: Request, spec: Spec): Promise<void> {
  for (let time = 1; ; time++) {
    try {
      return await settleOnce(request, spec);
    } catch (error) {
      const isBroken = error instanceof Refusal && error.kind === "broken";
      if (!isBroken || time === MAX_TIMES) throw error;
      await pause(request);
    }
  }
}

async function settleOnce(request: Request, spec: Spec): Promise<void> {
  const { state } = readDisk(spec);
  if (state.kind !== "ok" || state.state.phase !== EXECUTION) return;
  await settleTicks(request, spec);
  if (await prepareRun(request, spec, { runsChecks: true })) {
    await settleTicks(request, spec);
    await prepareRun(request, spec);
  }
}

async function pause(request: Request): Promise<void> {
  const signal = request.signal();
  await sleepUntil(Date.now() + PAUSE_MS, [signal]);
  signal.throwIfAborted();
}

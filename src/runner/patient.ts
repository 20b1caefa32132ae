import { commitLeft } from "../engine/commit-left.ts";
import { type HeardReport, hearReport } from "../engine/hear-report.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { settleRun } from "../engine/settle-run.ts";
import type { Entry } from "../run/journal.ts";
import type { Spec } from "../store/spec.ts";
import { sleepUntil } from "./sleep.ts";

/** How often we ask git, or try a file that another process holds. */
const MAX_TIMES = 3;
const PAUSE_MS = 2000;

/**
 * Judges the report on a task. If git does not answer, we ask it again; if it never answers, the task is handed out
 * again, and that costs no attempt. Returns what the journal says about it.
 */
export async function weighReport(
  request: Request,
  spec: Spec,
  id: string,
  heard: HeardReport,
): Promise<Entry | undefined> {
  for (let time = 1; ; time++) {
    const fault = commitLeft(request, spec, id, heard);
    const told = { ...heard, startedFor: id, ...(fault === undefined ? {} : { fault }) };
    const { reason: unread, entry } = await hearReport(request, spec, told);
    if (unread === undefined || time === MAX_TIMES) return entry;
    await pause(request);
  }
}

/** Settles a spec; a file that another process holds is tried again. */
export async function settleSpec(request: Request, spec: Spec): Promise<void> {
  for (let time = 1; ; time++) {
    try {
      await settleRun(request, spec);
      return;
    } catch (error) {
      const isBroken = error instanceof Refusal && error.kind === "broken";
      if (!isBroken || time === MAX_TIMES) throw error;
      await pause(request);
    }
  }
}

async function pause(request: Request): Promise<void> {
  const signal = request.signal();
  await sleepUntil(Date.now() + PAUSE_MS, [signal]);
  signal.throwIfAborted();
}

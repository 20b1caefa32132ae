import type { Controls } from "../../runner/controls.ts";
import type { EventSink } from "../../runner/emit.ts";
import type { RunFolder } from "../../runner/run-files.ts";
import type { Context } from "../cli/command.ts";
import { openLogs } from "./attempt-log.ts";
import { openLive } from "./live.ts";
import { hasScreen, jsonTeller, lineTeller, stageOf } from "./watch.ts";

interface ShowOptions {
  readonly json: boolean;
  /** Lines, even on a screen. */
  readonly plain?: boolean;
  readonly controls: Controls;
  /** Known once the run has begun. */
  readonly folder: () => RunFolder | undefined;
}

/** How `run` shows what it does: a live view, lines, or JSON. `close` gives the terminal back. */
export function openShow(
  context: Context,
  { json, plain = false, controls, folder }: ShowOptions,
): { readonly tell: EventSink; readonly close: () => void } {
  if (json || plain || !hasScreen(context)) {
    const tell = (json ? jsonTeller : lineTeller)(context);
    return { tell: (event) => void tell(event), close: () => {} };
  }
  let logs: ReturnType<typeof openLogs> | undefined;
  const live = openLive({
    ...stageOf(context),
    now: Date.now,
    seat: "running",
    controls,
    readLog(attempt) {
      const run = folder();
      logs ??= run === undefined ? undefined : openLogs(run);
      return logs?.(attempt) ?? [];
    },
  });
  return { tell: (event) => live.tell([event]), close: live.close };
}

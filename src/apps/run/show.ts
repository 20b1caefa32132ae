import type { Controls } from "../../runner/controls.ts";
import type { RunEvent } from "../../runner/events.ts";
import type { RunFolder } from "../../runner/run-files.ts";
import type { Context } from "../cli/command.ts";
import { escapeUnsafe } from "../cli/output.ts";
import { openLogs } from "./attempt-log.ts";
import { openLive } from "./live.ts";
import { hasScreen, lineTeller, stageOf } from "./watch.ts";

/** How `run` shows what it does: a live view, lines, or JSON. */
export interface Show {
  readonly tell: (event: RunEvent) => void;
  /** Gives the terminal back, so that later output is visible. */
  readonly close: () => void;
}

interface ShowOptions {
  readonly json: boolean;
  /** Lines, even on a screen. */
  readonly plain?: boolean;
  readonly controls: Controls;
  /** Known once the run has begun. */
  readonly folder: () => RunFolder | undefined;
}

export function openShow(
  context: Context,
  { json, plain = false, controls, folder }: ShowOptions,
): Show {
  const nothing = (): void => {};
  if (json) {
    const tell = (event: RunEvent): void =>
      void context.write(`${escapeUnsafe(JSON.stringify(event))}\n`);
    return { tell, close: nothing };
  }
  if (plain || !hasScreen(context)) {
    const tell = lineTeller(context);
    return { tell: (event) => void tell(event), close: nothing };
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

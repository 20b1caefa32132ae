import { execFile } from "node:child_process";
import { describeFull, findFull, readSpaces } from "../engine/doctor/disk.ts";
import { formatSize } from "../text/quantity.ts";
import type { OrderLimits } from "./executor.ts";
import { sleepUntil } from "./sleep.ts";
import type { Stage } from "./stage.ts";

/**
 * Waits until the disk has room for another agent, or only for files of ours, or a signal aborts. Returns why the run
 * ends instead, if it does.
 */
export type Room = (
  signals: readonly AbortSignal[],
  use?: "agent" | "files",
) => Promise<string | undefined>;

interface RoomOptions extends Pick<Stage, "emit">, Pick<OrderLimits, "mayWait"> {
  readonly minFree: number;
  readonly project: string;
  /** What takes the space, for people. */
  readonly tellUse: () => Promise<string>;
  readonly free?: (path: string) => number | undefined;
}

const LOOK_MS = 10_000;
/** How long a run waits for space before it ends. */
const PATIENCE_MS = 6 * 3_600_000;
/** What we and git write until the next agent starts. */
const FILES = 64e6;

/** Nothing is removed by us: only the user knows what is still needed. */
export function openRoom({ emit, mayWait, minFree, project, tellUse, free }: RoomOptions): Room {
  const findWhy = (least: number): string | undefined => {
    const full = findFull(readSpaces(project, free), least);
    return full && describeFull(full, minFree);
  };
  /** When it began, if the disk is full. */
  let since: number | undefined;
  return async (signals, use = "agent") => {
    const least = use === "agent" ? minFree : Math.min(minFree, FILES);
    let why = findWhy(least);
    if (why === undefined) return undefined;
    const isFirst = since === undefined;
    since ??= Date.now();
    const until = since + PATIENCE_MS;
    if (isFirst) {
      const said = `${why}. ${await tellUse()}`;
      const goesOn = "The run continues as soon as there is space";
      if (mayWait)
        emit({
          kind: "waiting",
          until: new Date(until).toISOString(),
          why: `${said}. ${goesOn}`,
        });
      else emit({ kind: "note", text: said });
    }
    while (why !== undefined && !signals.some(({ aborted }) => aborted)) {
      if (!mayWait || Date.now() >= until) return why;
      await sleepUntil(Math.min(Date.now() + LOOK_MS, until), signals);
      why = findWhy(least);
    }
    if (why === undefined) since = undefined;
    return undefined;
  };
}

/** `Runs take 3.2 GB in …/trees and 120 MB in …/runs`; without the sizes, if `du` is missing or slow. */
export const describeUse = (...folders: readonly string[]): Promise<string> =>
  new Promise((resolve) =>
    execFile("du", ["-sk", ...folders], { timeout: 5000 }, (_, printed) => {
      const sizes = [...printed.matchAll(/^(\d+)\s+(.+)$/gm)].map(
        ([, blocks, folder]) => `${formatSize(Number(blocks) * 1024)} in ${folder}`,
      );
      resolve(`Runs take ${sizes.join(" and ") || `space in ${folders.join(" and ")}`}`);
    }),
  );

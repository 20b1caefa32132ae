import { OPEN_POINTS } from "../spec/noted-items.ts";
import { type NotedPoint, readNotedPoints } from "../spec/open-points.ts";
import { withLock } from "../store/lock.ts";
import { readProgressItems, removeProgressItems } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import { counted } from "../text/wording.ts";
import { Refusal } from "./refusal.ts";

/**
 * Takes points that are settled off the list of open ones in `.progress.md`. All or none: the numbers change with the
 * list. An agent may, as it may edit the file: where a point was settled is in the documents.
 */
export function resolvePoints(spec: Spec, numbers: readonly number[]): readonly NotedPoint[] {
  return withLock(spec.lock, () => {
    const lines = readProgressItems(spec, OPEN_POINTS).filter(
      (line) => readNotedPoints([line]).length > 0,
    );
    const unknown = numbers.filter((number) => lines[number - 1] === undefined);
    if (unknown.length > 0)
      throw new Refusal(
        "missing",
        `there is no open point ${unknown.join(", ")}`,
        lines.length === 0
          ? "nothing is open"
          : `there ${lines.length === 1 ? "is" : "are"} ${counted(lines.length, "open point")}, counted from 1`,
      );
    const settled = lines.filter((_, i) => numbers.includes(i + 1));
    removeProgressItems(spec, OPEN_POINTS, settled);
    return readNotedPoints(settled);
  });
}

import type { Phase } from "../layouts/layout.ts";
import { OPEN_POINTS } from "../spec/noted-items.ts";
import {
  formatPoint,
  type NotedPoint,
  type OpenPoint,
  parseOpenPoints,
  readNotedPoints,
} from "../spec/open-points.ts";
import { withLock } from "../store/lock.ts";
import { addProgressItems, readProgressItems, removeProgressItems } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import { counted } from "../text/wording.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { withRun } from "./with-run.ts";

/**
 * Notes what the agent that wrote a phase's document could not settle, for the next step and the user. Takes the
 * spec's lock. Returns the points, new or not.
 */
export function noteOpenPoints(
  request: Request,
  spec: Spec,
  { name }: Pick<Phase, "name">,
  report: string,
): readonly OpenPoint[] {
  const points = parseOpenPoints(report);
  if (points.length === 0) return [];
  const items = points.map((point) => ({ phase: name, text: formatPoint(point) }));
  withRun(request, spec, () => addProgressItems(spec, OPEN_POINTS, items));
  return points;
}

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

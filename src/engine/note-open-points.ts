import type { Phase } from "../layouts/layout.ts";
import { OPEN_POINTS } from "../spec/noted-items.ts";
import { formatPoint, type OpenPoint, parseOpenPoints } from "../spec/open-points.ts";
import { addProgressItems } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
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

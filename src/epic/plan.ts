import type { Epic, EpicSpec, EpicStatus } from "./model.ts";
import { findEpicCycles, orderSpecs } from "./order.ts";

/** What exists of a spec: nothing, some of its documents, or a fully ticked task list. */
export type SpecStanding = "none" | "begun" | "finished";

export interface Blocker {
  readonly name: string;
  /** `unknown`: not a spec of this epic, and not a finished one outside it. */
  readonly why: "open" | "cancelled" | "unknown";
}

export interface PlannedSpec extends EpicSpec {
  /** What keeps an open spec from being worked on. */
  readonly blockedBy: readonly Blocker[];
}

export interface EpicPlan {
  /** In an order in which they can be worked on, each with its status on disk. */
  readonly specs: readonly PlannedSpec[];
  readonly next: PlannedSpec | undefined;
  readonly done: number;
  readonly cancelled: number;
  readonly cycles: readonly (readonly string[])[];
}

export function planEpic(epic: Epic, standingOf: (name: string) => SpecStanding): EpicPlan {
  const statuses = new Map(
    epic.specs.map((spec) => [spec.name, resolveStatus(spec.status, standingOf(spec.name))]),
  );
  const blockerOf = (name: string): Blocker[] => {
    const known = statuses.get(name);
    if (known === "completed") return [];
    if (known !== undefined) return [{ name, why: known === "cancelled" ? known : "open" }];
    return standingOf(name) === "finished" ? [] : [{ name, why: "unknown" }];
  };
  const specs = orderSpecs(epic.specs).map((spec) => {
    const status = statuses.get(spec.name) ?? spec.status;
    return {
      ...spec,
      status,
      blockedBy: isOpen(status) ? spec.dependencies.flatMap(blockerOf) : [],
    };
  });
  const count = (wanted: EpicStatus): number =>
    specs.filter(({ status }) => status === wanted).length;
  return {
    specs,
    next: specs.find(({ status, blockedBy }) => isOpen(status) && blockedBy.length === 0),
    done: count("completed"),
    cancelled: count("cancelled"),
    cycles: findEpicCycles(epic.specs),
  };
}

/** Runs end, people tick boxes, branches are switched: only the disk knows. A cancelled spec stays cancelled. */
function resolveStatus(stored: EpicStatus, standing: SpecStanding): EpicStatus {
  if (stored === "cancelled" || standing === "none") return stored;
  return standing === "finished" ? "completed" : "in_progress";
}

export const isOpen = (status: EpicStatus): boolean =>
  status === "pending" || status === "in_progress";

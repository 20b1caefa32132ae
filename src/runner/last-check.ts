import type { RecheckFailure } from "../engine/check-clean.ts";
import type { Checkout } from "../engine/verify-ticked.ts";
import { oneLine, showCommand } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { Coordinator } from "./coordinator.ts";
import type { RunGround } from "./ground.ts";
import type { Stage } from "./stage.ts";

/** Where the last check is made: a clean checkout of the run's branch, or the user's own tree. */
export interface CheckGround extends Checkout {
  readonly isHere?: true;
  /** What is in the checkout besides the commit, in sentences. */
  readonly notes?: readonly string[];
  readonly remove: () => void;
}

/** `early`: the run is not at its end. `again`: some tasks were reopened. */
export type LastCheck = () => Promise<"early" | "holds" | "again" | { readonly stuck: string }>;

/** How often failed tasks are reopened. */
const MAX_ROUNDS = 2;

/** Before a run ends, proves everything once more: with its own branch, in a clean checkout of that. */
export function openLastCheck(
  { emit }: Pick<Stage, "emit">,
  coordinator: Coordinator,
  { checkOut, noteProven }: Pick<RunGround, "checkOut" | "noteProven">,
  /** Which attempt at a task was accepted. */
  attemptAt: (task: string) => number,
): LastCheck {
  const { spec } = coordinator;
  let rounds = 0;
  return async () => {
    const count = await coordinator.countAtEnd();
    if (count === undefined) return "early";
    if (count === 0) return "holds";
    const ground = await checkOut();
    if ("failed" in ground) return { stuck: `the last check could not be made: ${ground.failed}` };
    try {
      const where =
        ground.isHere === true
          ? "in your tree"
          : `in a clean checkout of ${ground.commit.slice(0, 9)}`;
      const begun = `the last check: ${counted(count, "ticked task")}, ${where}`;
      for (const text of [begun, ...(ground.notes ?? [])]) emit({ kind: "note", text });
      const failures = await coordinator.checkIn(ground, ({ id }, command) =>
        emit({
          kind: "verifying",
          spec: spec.name,
          task: id,
          attempt: 0,
          command: showCommand(command),
        }),
      );
      for (const { id, why } of failures)
        emit({
          kind: "refused",
          spec: spec.name,
          task: id,
          attempt: attemptAt(id),
          reason: oneLine(why, 500),
        });
      if (failures.length === 0) {
        noteProven?.(ground.commit);
        return "holds";
      }
      const isReopened = failures.some(({ isGiven }) => !isGiven);
      return isReopened && rounds++ < MAX_ROUNDS
        ? "again"
        : { stuck: tellStuck(failures, where, ground.isHere === true) };
    } finally {
      ground.remove();
    }
  };
}

function tellStuck(failures: readonly RecheckFailure[], where: string, isHere: boolean): string {
  const ids = (given: boolean): string =>
    failures.flatMap(({ id, isGiven }) => (isGiven === given ? id : [])).join(", ");
  const [given, others] = [ids(true), ids(false)];
  return [
    ...(others === "" ? [] : [`these tasks fail ${where}: ${others}`]),
    ...(given === ""
      ? []
      : [
          `ticked before the run, but not proven: ${given} (accept it; or ${isHere ? "" : "take first, then "}fix it, or clear its box to have it done, and run again)`,
        ]),
  ].join("; ");
}

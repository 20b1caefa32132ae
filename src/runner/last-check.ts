import type { Checkout } from "../engine/check-clean.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { Coordinator } from "./coordinator.ts";
import type { RunGround } from "./ground.ts";
import type { Stage } from "./stage.ts";

/** A clean checkout of a run's branch. */
export interface CleanGround extends Checkout {
  readonly remove: () => void;
}

/** `again`: some tasks were reopened. */
export type LastCheck = () => Promise<"holds" | "again" | { readonly stuck: string }>;

/** How often failed tasks are reopened. */
const MAX_ROUNDS = 2;

/**
 * Before a run ends, proves everything once more in a clean checkout of its branch. Undefined if the run has no branch
 * of its own.
 */
export function openLastCheck(
  { emit }: Pick<Stage, "emit">,
  coordinator: Coordinator,
  { checkOut, noteProven }: Pick<RunGround, "checkOut" | "noteProven">,
  /** Which attempt at a task was accepted. */
  attemptAt: (task: string) => number = () => 0,
): LastCheck | undefined {
  if (checkOut === undefined) return undefined;
  const { spec } = coordinator;
  let rounds = 0;
  return async () => {
    const count = await coordinator.countAtEnd();
    if (count === 0) return "holds";
    const ground = await checkOut();
    if ("failed" in ground) return { stuck: `the last check could not be made: ${ground.failed}` };
    try {
      const at = ground.commit.slice(0, 9);
      const what = counted(count, "proven task");
      emit({ kind: "note", text: `the last check: ${what}, in a clean checkout of ${at}` });
      const failures = await coordinator.checkIn(ground, ({ id }, command) =>
        emit({
          kind: "verifying",
          spec: spec.name,
          task: id,
          attempt: 0,
          command: oneLine(command, 200),
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
      if (rounds++ < MAX_ROUNDS) return "again";
      const ids = failures.map(({ id }) => id).join(", ");
      return { stuck: `these tasks fail in a clean checkout of the branch: ${ids}` };
    } finally {
      ground.remove();
    }
  };
}

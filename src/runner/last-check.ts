import type { Checkout } from "../engine/check-clean.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { Coordinator } from "./coordinator.ts";
import type { RunGround } from "./ground.ts";
import type { Stage } from "./stage.ts";

/** A clean checkout of what a run has come to. */
export interface CleanGround extends Checkout {
  readonly remove: () => void;
}

/** `again`: tasks are open again. */
export type LastCheck = () => Promise<"holds" | "again" | { readonly stuck: string }>;

/** How often tasks that do not hold are done again. */
const MAX_ROUNDS = 2;

/**
 * Before a run ends, everything that was proven is proven once more in a clean checkout of its branch. Undefined where
 * there is no branch of its own.
 */
export function openLastCheck(
  { emit }: Pick<Stage, "emit">,
  coordinator: Coordinator,
  { checkOut, noteProven }: Pick<RunGround, "checkOut" | "noteProven">,
  /** Which attempt at a task was believed. */
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
      const unheld = await coordinator.checkIn(ground, ({ id }, command) =>
        emit({
          kind: "verifying",
          spec: spec.name,
          task: id,
          attempt: 0,
          command: oneLine(command, 200),
        }),
      );
      for (const { id, why } of unheld)
        emit({
          kind: "refused",
          spec: spec.name,
          task: id,
          attempt: attemptAt(id),
          reason: oneLine(why, 500),
        });
      if (unheld.length === 0) {
        noteProven?.(ground.commit);
        return "holds";
      }
      if (rounds++ < MAX_ROUNDS) return "again";
      const ids = unheld.map(({ id }) => id).join(", ");
      return { stuck: `in a clean checkout of the branch, this does not hold: ${ids}` };
    } finally {
      ground.remove();
    }
  };
}
